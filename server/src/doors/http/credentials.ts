import type { IncomingHttpHeaders } from 'node:http'
import { accountHeader } from '@loci/contract/auth'
import { spaceHeader } from '@loci/contract/spaces'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../ground/errors/app-error.ts'
import { networkOf } from '../../ground/lib/networks.ts'
import { secondMs } from '../../ground/lib/time.ts'
import { inProcessOf } from '../../store/run-compiled.ts'
import { type Actor, actorOn } from '../../tenancy/auth/actor.ts'
import { authenticate, enterNamedAccount } from '../../tenancy/auth/authenticate.ts'
import { actorOnSpace } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, known before the body is read. */
    actor: Actor | undefined
  }
}

/** If a body takes longer than this to arrive, the credentials are checked again. */
const slowBodyMs = secondMs

export function registerCredentials(app: FastifyInstance): void {
  app.decorateRequest('actor', undefined)
}

/** The space that a route works on: the one that `named` returns or the request names; none if it is spaceless. */
export type SpaceOf = { spaceless?: boolean; named?: (request: FastifyRequest) => string | undefined }

/**
 * Checks the credentials of a request. Call it in `onRequest`, so that no body of an unknown caller is read or
 * parsed. Throws `not_authenticated`, `account_not_found`, `space_not_found`.
 */
export async function authenticateRequest(
  ctx: Context,
  request: FastifyRequest,
  space: SpaceOf = {},
): Promise<void> {
  // Else looking whether anybody has changed credentials takes locks of its own.
  if (request.method === 'GET') inProcessOf(ctx.db.getExecutor().adapter)?.beginReads()
  request.actor = await findActor(ctx, request, space)
}

/** The caller, once the body has arrived. Throws `not_authenticated`, `space_not_found`. */
export async function callerOf(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  space: SpaceOf = {},
): Promise<Actor> {
  const { actor } = request
  if (actor !== undefined && reply.elapsedTime < slowBodyMs) return actor
  return findActor(ctx, request, space)
}

async function findActor(
  ctx: Context,
  request: FastifyRequest,
  { spaceless = false, named }: SpaceOf,
): Promise<Actor> {
  const holder = {
    ...(await authenticate(ctx, request.headers.authorization)),
    address: networkOf(request.ip ?? ''),
  }
  const account = accountNamedIn(request)
  const caller = account === undefined ? holder : await enterNamedAccount(ctx, holder, account)
  const wanted = named?.(request) ?? spaceNamedIn(request)
  try {
    return await actorOnSpace(ctx, caller, wanted)
  } catch (error) {
    if (spaceless && error instanceof AppError && error.code === 'space_not_found') return actorOn(caller)
    throw error
  }
}

type Place = { headers: IncomingHttpHeaders; query: unknown }

/** The space that a request names in its header or URL, if any. Throws `validation_failed` for more than one. */
export const spaceNamedIn = (place: Place) => namedIn(place, spaceHeader, 'space')

/** The id of the account that a request names. Throws `validation_failed` for more than one. */
export const accountNamedIn = (place: Place) => namedIn(place, accountHeader, 'account')

function namedIn({ headers, query }: Place, headerName: string, parameter: string): string | undefined {
  const header = headers[headerName]
  if (typeof header === 'string' && header !== '') return decodeHeader(header)
  const named: unknown = Reflect.get(Object(query), parameter)
  if (Array.isArray(named)) {
    const details = [{ path: parameter, message: 'Is given more than once' }]
    throw new AppError('validation_failed', `${parameter} is given more than once`, { details })
  }
  return typeof named === 'string' && named !== '' ? named : undefined
}

/** Node decodes headers as Latin-1; names arrive as UTF-8, or percent-encoded from clients that cannot send UTF-8. */
function decodeHeader(header: string): string {
  const text = asUtf8(header) ?? header
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function asUtf8(header: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return undefined
  }
}
