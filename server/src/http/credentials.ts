import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, actorOn } from '../auth/actor.ts'
import { authenticate } from '../auth/authenticate.ts'
import type { Context } from '../context.ts'
import { secondMs } from '../lib/time.ts'

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

/**
 * Looks at the credentials of a request: to be called in `onRequest`, so that nobody's body is read and parsed for a
 * stranger. Throws `not_authenticated`.
 */
export async function authenticateRequest(ctx: Context, request: FastifyRequest): Promise<void> {
  request.actor = actorOn(await authenticate(ctx, request.headers.authorization))
}

/** Who calls, now that the body is there. Throws `not_authenticated`. */
export async function callerOf(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
  const { actor } = request
  if (actor !== undefined && reply.elapsedTime < slowBodyMs) return actor
  return actorOn(await authenticate(ctx, request.headers.authorization))
}
