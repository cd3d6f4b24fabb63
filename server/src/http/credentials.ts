import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, actorOn } from '../auth/actor.ts'
import { authenticate } from '../auth/authenticate.ts'
import { enterNamedAccount } from '../auth/enter-account.ts'
import { actorOnSpace } from '../auth/resolve-space.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { networkOf } from '../lib/networks.ts'
import { secondMs } from '../lib/time.ts'
import { accountNamedIn, spaceNamedIn } from './named-scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, known before the body is read. */
    actor: Actor | undefined
  }
}

/** A body that took longer to arrive has its credentials looked at again. */
const slowBodyMs = secondMs

export function registerCredentials(app: FastifyInstance): void {
  app.decorateRequest('actor', undefined)
}

/** Which space a route works on: the one that `named` says, or that the request names; none where it is spaceless. */
export type SpaceOf = { spaceless?: boolean; named?: (request: FastifyRequest) => string | undefined }

/**
 * Looks at the credentials of a request: to be called in `onRequest`, so that nobody's body is read and parsed for a
 * stranger. Throws `not_authenticated`, `account_not_found`, `space_not_found`.
 */
export async function authenticateRequest(
  ctx: Context,
  request: FastifyRequest,
  space: SpaceOf = {},
): Promise<void> {
  request.actor = await findActor(ctx, request, space)
}

/** Who calls, now that the body is there. Throws `not_authenticated`, `space_not_found`. */
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
