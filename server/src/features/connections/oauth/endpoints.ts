import { MemoryRight } from '@loci/contract/rights'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../ground/config/config.ts'
import { AppError } from '../../../ground/errors/app-error.ts'
import { secondMs } from '../../../ground/lib/time.ts'
import { mcpPath } from '../../../ground/mcp-path.ts'
import { transact } from '../../../store/transact.ts'
import { countAttempt } from '../../../tenancy/auth/attempts.ts'
import type { Context } from '../../../tenancy/context.ts'
import { insertClient } from './clients.repo.ts'
import { Registration, toClientMetadata } from './clients.rules.ts'
import { asSeenBy, requireIssuer } from './issuer.ts'
import { clientUnusedKeptMs } from './lifetimes.ts'
import { consentPage, errorPage, isForPerson, oauthPaths } from './paths.ts'
import { createProviders, type DocumentSource, type Providers } from './providers.ts'
import { resourceMetadataPath } from './resources.rules.ts'
import { ratesOf } from './stranger-rates.ts'

const registrationBytesMax = 64 * 1024

/** Registers the authorization server, and the metadata by which clients find it. */
export function registerOAuth(app: FastifyInstance, ctx: Context, documents: DocumentSource = {}): void {
  const providers = createProviders(ctx, documents)
  const issuer = (request: FastifyRequest) => requireIssuer(ctx, request)
  app.get('/.well-known/oauth-authorization-server', async (request) =>
    serverMetadata(issuer(request), ctx.config),
  )
  for (const path of ['', mcpPath]) {
    app.get(resourceMetadataPath + path, async (request) => resourceMetadata(issuer(request)))
  }
  app.get<{ Params: { space: string } }>(`${resourceMetadataPath}${mcpPath}/spaces/:space`, async (request) =>
    resourceMetadata(issuer(request), `${mcpPath}/spaces/${encodeURIComponent(request.params.space)}`),
  )
  app.post(oauthPaths.register, { bodyLimit: registrationBytesMax }, async (request, reply) => {
    issuer(request)
    const { status, body } = await registerClient(ctx, request.ip, request.body)
    return reply.code(status).send(body)
  })
  app.get<{ Params: { id: string } }>(`${oauthPaths.requests}/:id`, (request, reply) =>
    reply.redirect(`${consentPage}?request=${encodeURIComponent(request.params.id)}`, 303),
  )
  app.register(async (scope) => serveProvider(scope, ctx, providers))
}

/** Routes that the library serves. It reads bodies itself. */
function serveProvider(scope: FastifyInstance, ctx: Context, providers: Providers): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const handler = (request: FastifyRequest, reply: FastifyReply) => passOn(ctx, providers, request, reply)
  scope.get(oauthPaths.authorize, async (request, reply) => {
    try {
      await countAttempt(ctx, ratesOf('request', request.ip))
    } catch (error) {
      const isOver = error instanceof AppError && error.code === 'rate_limited'
      if (!isOver || !isForPerson(request.headers.accept)) throw error
      return reply.redirect(errorPage(error.code), 303)
    }
    request.raw.url = withScope(request.url)
    return handler(request, reply)
  })
  scope.get(`${oauthPaths.authorize}/:uid`, handler)
  scope.post(oauthPaths.token, handler)
  scope.post(oauthPaths.revoke, handler)
}

async function passOn(
  ctx: Context,
  providers: Providers,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const provider = await providers.get(requireIssuer(ctx, request))
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value!)
  reply.hijack()
  await provider.callback()(asSeenBy(ctx, request), reply.raw)
}

/** Adds all our scopes to a request that asks for none of them; the person can grant fewer. */
function withScope(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  const scopes = searchParams.get('scope')?.split(' ') ?? []
  if (scopes.some((scope) => MemoryRight.safeParse(scope).success)) return address
  searchParams.set('scope', MemoryRight.options.join(' '))
  return `${pathname}?${searchParams}`
}

const title = 'Loci'

/** The authorization server's metadata (RFC 8414). */
const serverMetadata = (issuer: string, { clientDocuments }: Pick<Config, 'clientDocuments'>) => ({
  issuer,
  authorization_endpoint: issuer + oauthPaths.authorize,
  token_endpoint: issuer + oauthPaths.token,
  registration_endpoint: issuer + oauthPaths.register,
  revocation_endpoint: issuer + oauthPaths.revoke,
  scopes_supported: [...MemoryRight.options, 'offline_access'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  revocation_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: clientDocuments,
})

/**
 * The protected resource's metadata, which names its authorization server (RFC 9728). `path` is that of MCP or of one
 * of its spaces.
 */
const resourceMetadata = (issuer: string, path: string = mcpPath) => ({
  resource: issuer + path,
  resource_name: title,
  authorization_servers: [issuer],
  scopes_supported: MemoryRight.options,
  bearer_methods_supported: ['header'],
})

/** A response of the authorization server, in the form of RFC 7591. */
type RegistrationAnswer = { status: 201 | 400; body: object }

/** Registers a client. Throws `rate_limited`. */
async function registerClient(ctx: Context, address: string, input: unknown): Promise<RegistrationAnswer> {
  const parsed = Registration.safeParse(input)
  if (!parsed.success) return { status: 400, body: toRefusal(parsed.error.issues[0]?.path[0]) }
  await countAttempt(ctx, ratesOf('client', address))
  const at = ctx.now()
  const id = ctx.newId('cli')
  const metadata = toClientMetadata(id, parsed.data, Math.floor(at / secondMs))
  await transact(ctx, ({ db }) => insertClient(db, { id, metadata, at, expiresAt: at + clientUnusedKeptMs }))
  return { status: 201, body: metadata }
}

const toRefusal = (field: PropertyKey | undefined) =>
  field === 'redirect_uris'
    ? {
        error: 'invalid_redirect_uri',
        error_description:
          'redirect_uris must be a list of 1 to 20 addresses: https, http on this machine, or a scheme of the program with its domain name, such as com.example.app:/callback',
      }
    : { error: 'invalid_client_metadata', error_description: 'Send a JSON object with redirect_uris' }
