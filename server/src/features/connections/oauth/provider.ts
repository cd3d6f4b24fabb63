import { MemoryRight } from '@loci/contract/rights'
import {
  InvalidClientAuth,
  InvalidRequest,
  InvalidTarget,
  TemporarilyUnavailable,
} from 'oidc-provider/lib/helpers/errors.js'
import { Check, Prompt } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import { type OidcContext, type Payload, Provider } from 'oidc-provider/lib/provider.js'
import { accessTokenPrefix, refreshTokenPrefix } from '../../../ground/lib/secrets.ts'
import { minuteMs, secondMs } from '../../../ground/lib/time.ts'
import { countAttempt } from '../../../tenancy/auth/attempts.ts'
import { findCallerMember } from '../../../tenancy/auth/callers.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import { createAdapter } from './adapter.ts'
import { createFetchDocument } from './fetch-document.ts'
import { insertGrant } from './insert-grant.ts'
import { lifetimes, proofMsMax } from './lifetimes.ts'
import { oauthPaths } from './paths.ts'
import type { DocumentSource } from './providers.ts'
import { isSafeRedirect } from './redirects.rules.ts'
import { toResource } from './resources.rules.ts'
import { reportHere, showError } from './show-error.ts'
import { signingKeyOf } from './signing-key.ts'
import { proofRatesOf } from './stranger-rates.ts'
import { readSubject } from './subjects.ts'

/** Client metadata documents that one address can make us fetch; they are cached in memory. */
const documentsOfAnAddress = { burst: 30, intervalMs: 10 * secondMs }
const documentKeptSeconds = { min: (5 * minuteMs) / secondMs, max: 86_400 }

/** The authorization server for one address. */
export function createProvider(ctx: Context, issuer: string, documents: DocumentSource): Provider {
  const provider = new Provider(issuer, configurationOf(ctx, issuer, documents))
  // Safe: the caller writes the visitor's address into the headers that the library then trusts.
  provider.proxy = true
  mark(provider.AccessToken, accessTokenPrefix)
  mark(provider.RefreshToken, refreshTokenPrefix, () => successorOfUsed(ctx))
  const log = (...[, error]: unknown[]) => ctx.log.error({ err: error }, 'oauth')
  provider.on('server_error', log)
  provider.on('server_error', reportHere)
  provider.on('authorization.error', reportHere)
  provider.on('error', (error: unknown) => ctx.log.error({ err: error }, 'oauth'))
  return provider
}

/** Adds a prefix to tokens, by which people and secret scanners recognise them. Tokens are random unless `derive` names one. */
function mark(
  { prototype }: Provider['AccessToken'],
  prefix: string,
  derive?: () => string | undefined,
): void {
  const { generateTokenId } = prototype
  prototype.generateTokenId = function () {
    return prefix + (derive?.() ?? generateTokenId.call(this))
  }
}

/**
 * The successor of the refresh token that is being used. It is derived from it, so that every process gives the same one
 * to a client that asks again, though tokens are stored as hashes only.
 */
function successorOfUsed({ signer }: Context): string | undefined {
  const used = Provider.ctx?.oidc.entities.RotatedRefreshToken
  return used && signer.sign('oauth-successor', used.jti)
}

/** All parameters are stored until a person answers; `state` is the one that a client fills as it likes. */
const parameterBytesMax = 2_048

function requireShort(params: OidcContext['oidc']['params']): void {
  for (const [name, value] of Object.entries(params)) {
    if (Buffer.byteLength(String(value)) > parameterBytesMax)
      throw new InvalidRequest(`${name} is longer than 2 KB`)
  }
}

/** Every request must be allowed by a person, each time. */
const policy = [
  new Prompt(
    { name: 'consent', requestable: true },
    new Check('not_allowed_yet', 'a person has to allow this', 'consent_required', ({ oidc }) => {
      requireShort(oidc.params)
      return oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  ),
  // Some clients request this prompt by name; allowing the request counts as signing in.
  new Prompt({ name: 'login', requestable: true }),
]

function configurationOf(ctx: Context, issuer: string, documents: DocumentSource) {
  const off = { enabled: false }
  return {
    adapter: (model: string) => createAdapter(ctx, model),
    jwks: { keys: [signingKeyOf(ctx.signer)] },
    cookies: {
      keys: [ctx.signer.sign('oauth-cookies', '')],
      names: { session: 'loci_oauth', interaction: 'loci_oauth_request', resume: 'loci_oauth_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: oauthPaths.root },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      revocation: oauthPaths.revoke,
    },
    scopes: ['offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'private_key_jwt'],
    assertJwtClientAuthClaimsAndHeader: ({ ip }: OidcContext, { exp }: { exp: number }) =>
      countProof(ctx, ip, exp * secondMs),
    clientDefaults: {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    pkce: { required: () => true },
    ttl: lifetimes,
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx: unknown, client: { grantTypeAllowed: (type: string) => boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => false,
    interactions: {
      policy,
      url: (_ctx: unknown, { uid }: { uid: string }) => `${oauthPaths.requests}/${uid}`,
    },
    findAccount: (_ctx: unknown, subject: string) => findAccount(ctx, subject),
    loadExistingGrant: (inner: OidcContext) => insertGrant(ctx, inner),
    renderError: showError,
    features: {
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      rpInitiatedLogout: off,
      userinfo: off,
      revocation: { enabled: true, allowedPolicy: mayRevoke },
      clientIdMetadataDocument: {
        enabled: ctx.config.clientDocuments,
        ack: 'draft-02',
        allowFetch: async ({ ip }: OidcContext) => {
          await countAttempt(ctx, [{ by: `oauth document ${ip}`, rate: documentsOfAnAddress }])
          return true
        },
        allowClient: (_ctx: unknown, { redirectUris }: { redirectUris: string[] }) =>
          redirectUris.every(isSafeRedirect),
        cacheDuration: documentKeptSeconds,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx: unknown, _client: unknown, oneOf?: string[]) => oneOf?.[0] ?? `${issuer}/mcp`,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: unknown, indicator: string) => resourceServer(issuer, indicator),
      },
    },
    fetch: createFetchDocument({ ...documents, allowsPrivate: ctx.config.webhooksAllowPrivate }),
  }
}

/** Bounds the proofs that are stored. The library has verified the signature. */
async function countProof(ctx: Context, address: string, expiresAt: number): Promise<void> {
  if (expiresAt > ctx.now() + proofMsMax) throw new InvalidClientAuth('the proof lasts longer than an hour')
  await countAttempt(ctx, proofRatesOf(address)).catch((cause) => {
    throw new TemporarilyUnavailable('too many proofs', String(cause))
  })
}

function resourceServer(issuer: string, indicator: string) {
  if (toResource(issuer, indicator) === undefined) throw new InvalidTarget()
  return {
    scope: MemoryRight.options.join(' '),
    audience: `${issuer}/mcp`,
    accessTokenTTL: lifetimes.AccessToken,
    accessTokenFormat: 'opaque',
  }
}

/** A client can revoke only its own tokens. */
const mayRevoke = (_ctx: unknown, client: { clientId: string }, token: Payload) =>
  token.clientId === client.clientId

/** Suspended and former members are not found. */
async function findAccount(ctx: Context, subject: string) {
  const { accountId, id: userId } = readSubject(subject)
  const member = await findCallerMember(ctx.db, accountId, userId)
  return member && { accountId: subject, claims: () => ({ sub: subject }) }
}
