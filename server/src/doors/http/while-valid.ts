import { Readable } from 'node:stream'
import type { Right } from '@loci/contract/rights'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../ground/errors/app-error.ts'
import { minuteMs } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { bearerOf } from '../../tenancy/auth/authenticate.ts'
import { watchCredentials } from '../../tenancy/auth/watch-credentials.ts'
import type { Context } from '../../tenancy/context.ts'

type Call = { ctx: Context; actor: Actor; request: FastifyRequest }

/**
 * Calls `onEnd` once when the credentials of a long call end or lose a right. Returns a function that stops watching.
 */
export function watchCall(
  { ctx, actor, request }: Call,
  right: Right,
  onEnd: (error: AppError) => void,
): () => void {
  const token = bearerOf(request.headers.authorization) ?? ''
  return watchCredentials(ctx, { token, actor, right }, minuteMs, onEnd)
}

/** A long answer, which breaks off when the credentials of its reader end or lose a right. */
export function streamWhileValid(
  call: Call & { reply: FastifyReply },
  right: Right,
  pieces: AsyncIterable<string | Uint8Array>,
): Readable {
  const { raw } = call.reply
  raw.once(
    'close',
    watchCall(call, right, () => raw.destroy()),
  )
  return Readable.from(pieces, { objectMode: false })
}
