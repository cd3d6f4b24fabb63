import type { ApproveConnection, ConnectionAnswer, ConnectionRequest } from '@loci/contract/connections'
import { MemoryRight } from '@loci/contract/rights'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Interaction, Payload, Provider } from 'oidc-provider/lib/provider.js'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { secondMs, toIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight } from '../../tenancy/auth/permissions.ts'
import { listReachableSpaces } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import { describeClient } from './oauth/clients.rules.ts'
import type { Consent } from './oauth/insert-grant.ts'
import { asSeenBy, requireIssuer } from './oauth/issuer.ts'
import { providersOf } from './oauth/providers.ts'
import { toResource } from './oauth/resources.rules.ts'
import { toSubject } from './oauth/subjects.ts'

/** The HTTP request and response: a cookie proves that the request began in this browser. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** A request that waits for a person, with its details. */
type Waiting = {
  provider: Provider
  interaction: Interaction
  client: ReturnType<typeof describeClient>
  scopes: MemoryRight[]
  spaces: { id: string; name: string }[]
}

/** Throws `connection_request_not_found`. */
export async function getRequest(
  ctx: Context,
  actor: Actor,
  id: string,
  exchange: Exchange,
): Promise<ConnectionRequest> {
  const { interaction, client, scopes, spaces } = await requireWaiting(ctx, actor, id, exchange)
  return {
    client,
    redirectUri: interaction.params.redirect_uri!,
    scopes,
    spaces,
    expiresAt: toIso(interaction.exp * secondMs),
  }
}

/**
 * Grants a client what a person chose. Throws `connection_request_not_found`, `space_not_found`, `validation_failed`.
 */
export async function approveRequest(
  ctx: Context,
  actor: Actor,
  id: string,
  granted: ApproveConnection,
  exchange: Exchange,
): Promise<ConnectionAnswer> {
  const waiting = await requireWaiting(ctx, actor, id, exchange)
  const space = waiting.spaces.find(({ id: spaceId }) => spaceId === granted.space)
  if (space === undefined) throw new AppError('space_not_found', 'Space not found')
  const scopes = waiting.scopes.filter((scope) => granted.scopes.includes(scope))
  if (scopes.length === 0) throw new AppError('validation_failed', 'Choose at least one right')
  const subject = toSubject({ accountId: actor.accountId, id: actor.userId })
  const { name, host } = waiting.client
  const consent: Consent = {
    subject,
    spaceId: toNumber('spc', space.id)!,
    scopes,
    writes: granted.writes ?? 'direct',
    resource: resourceOf(waiting.interaction, requireIssuer(ctx, exchange.request)),
    client: { name, host },
    ...(actor.address && { address: actor.address }),
    ...(actor.sessionId && { sessionId: actor.sessionId }),
  }
  return answer(ctx, waiting.provider, exchange, { login: { accountId: subject, remember: false }, consent })
}

/** Tells a client that a person refused. Throws `connection_request_not_found`. */
export async function refuseRequest(
  ctx: Context,
  actor: Actor,
  id: string,
  exchange: Exchange,
): Promise<ConnectionAnswer> {
  const { provider } = await requireWaiting(ctx, actor, id, exchange)
  return answer(ctx, provider, exchange, {
    error: 'access_denied',
    error_description: 'The user did not allow it',
  })
}

async function answer(
  ctx: Context,
  provider: Provider,
  { request, reply }: Exchange,
  result: Payload,
): Promise<ConnectionAnswer> {
  const next = await provider.interactionResult(asSeenBy(ctx, request), reply.raw, result)
  return { redirectTo: new URL(next).pathname }
}

const notFound = () =>
  new AppError(
    'connection_request_not_found',
    'This request has expired, or was started in another browser. Start again from the app.',
  )

async function requireWaiting(
  ctx: Context,
  actor: Actor,
  id: string,
  { request, reply }: Exchange,
): Promise<Waiting> {
  const issuer = requireIssuer(ctx, request)
  const provider = await providersOf(ctx).get(issuer)
  const interaction = await provider.interactionDetails(asSeenBy(ctx, request), reply.raw).catch((error) => {
    if (error.name !== 'SessionNotFound') throw error
  })
  if (interaction?.uid !== id) throw notFound()
  const client = await provider.Client.find(interaction.params.client_id!)
  if (client === undefined) throw notFound()
  const asked = interaction.params.scope?.split(' ') ?? []
  return {
    provider,
    interaction,
    client: describeClient(client, interaction.params.redirect_uri!),
    scopes: MemoryRight.options.filter((scope) => asked.includes(scope) && hasRight(actor, scope)),
    spaces: await listWanted(ctx, actor, toResource(issuer, resourceOf(interaction, issuer))?.space),
  }
}

/** The first requested resource, as the client spelled it. */
function resourceOf({ params: { resource } }: Interaction, issuer: string): string {
  return (Array.isArray(resource) ? resource[0] : resource) ?? `${issuer}/mcp`
}

/** The account's spaces, or the one that the client requests by id or name. */
async function listWanted(ctx: Context, actor: Actor, wanted: string | undefined) {
  const spaces = (await listReachableSpaces(ctx, actor)).map(({ spaceId, name }) => ({
    id: toId('spc', spaceId),
    name,
  }))
  if (wanted === undefined) return spaces
  return spaces.filter(({ id, name }) => name === wanted || id === wanted)
}
