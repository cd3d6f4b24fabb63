import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../errors.ts'
import { sha256 } from '../lib/secrets.ts'
import { dayMs } from '../lib/time.ts'
import { deleteOldIdempotencyKeys, findIdempotencyKey, insertIdempotencyKey } from './idempotency.repo.ts'

const keyLengthMax = 255
const keptMs = dayMs

/**
 * Runs a write once for each `Idempotency-Key`: the answer is kept in the write's own transaction and replayed for
 * the same request; another request with the same key is refused. A refused write keeps nothing.
 * See https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/.
 */
export async function withIdempotency(
  ctx: Context,
  actor: Actor,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (ctx: Context) => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return run(ctx)
  if (key.length === 0 || key.length > keyLengthMax) {
    throw new AppError('validation_failed', `Idempotency-Key must be 1 to ${keyLengthMax} characters long`)
  }
  const requestHash = sha256(JSON.stringify([request.method, request.url, request.body ?? null]))
  return transact(ctx, async (inner) => {
    const kept = await findIdempotencyKey(inner.db, inner.dialect, actor.accountId, key, inner.now() - keptMs)
    if (kept !== undefined) {
      if (kept.requestHash !== requestHash) {
        throw new AppError('idempotency_conflict', 'This Idempotency-Key was used for another request')
      }
      reply.code(kept.status).headers(JSON.parse(kept.headers)).header('idempotency-replayed', 'true')
      return kept.body === '' ? undefined : JSON.parse(inner.secretBox.open(kept.body))
    }
    const answer = await run(inner)
    const etag = reply.getHeader('etag')
    await deleteOldIdempotencyKeys(inner.db, actor.accountId, inner.now() - keptMs)
    await insertIdempotencyKey(inner.db, actor.accountId, {
      key,
      requestHash,
      status: reply.statusCode,
      headers: JSON.stringify(etag === undefined ? {} : { etag }),
      // Sealed: the answer may be the only one with a whole API key.
      body: answer === undefined ? '' : inner.secretBox.seal(JSON.stringify(answer)),
      at: inner.now(),
    })
    return answer
  })
}
