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

type Write = { actor: Actor; request: FastifyRequest; reply: FastifyReply; remote: boolean }

/**
 * Runs a write once for each `Idempotency-Key`: the answer is kept in the write's own transaction and replayed for
 * the same request; another request with the same key is refused. A refused write keeps nothing. A `remote` write runs
 * between two transactions instead, so that twins of it that run side by side both run.
 * See https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/.
 */
export async function withIdempotency(
  ctx: Context,
  write: Write,
  run: (ctx: Context) => Promise<unknown>,
): Promise<unknown> {
  const key = write.request.headers['idempotency-key']
  if (typeof key !== 'string') return run(ctx)
  if (key.length === 0 || key.length > keyLengthMax) {
    throw new AppError('validation_failed', `Idempotency-Key must be 1 to ${keyLengthMax} characters long`)
  }
  const inTransaction = <T>(work: (inner: Context) => Promise<T>) =>
    transact(ctx, work, write.actor.accountId)
  if (write.remote) {
    const kept = await inTransaction((inner) => replay(inner, write, key))
    if (kept !== undefined) return kept.answer
    const answer = await run(ctx)
    await inTransaction((inner) => keep(inner, write, key, answer))
    return answer
  }
  return inTransaction(async (inner) => {
    const kept = await replay(inner, write, key)
    if (kept !== undefined) return kept.answer
    const answer = await run(inner)
    await keep(inner, write, key, answer)
    return answer
  })
}

/** The answer that was kept, put into the reply. Throws `idempotency_conflict`. */
async function replay(
  { db, dialect, now, secretBox }: Context,
  { actor, request, reply }: Write,
  key: string,
): Promise<{ answer: unknown } | undefined> {
  const kept = await findIdempotencyKey(db, dialect, actor.accountId, key, now() - keptMs)
  if (kept === undefined) return undefined
  if (kept.requestHash !== hashOf(request)) {
    throw new AppError('idempotency_conflict', 'This Idempotency-Key was used for another request')
  }
  reply.code(kept.status).headers(JSON.parse(kept.headers)).header('idempotency-replayed', 'true')
  return { answer: kept.body === '' ? undefined : JSON.parse(secretBox.open(kept.body)) }
}

async function keep(
  { db, now, secretBox }: Context,
  { actor, request, reply }: Write,
  key: string,
  answer: unknown,
): Promise<void> {
  const etag = reply.getHeader('etag')
  await deleteOldIdempotencyKeys(db, actor.accountId, now() - keptMs)
  await insertIdempotencyKey(db, actor.accountId, {
    key,
    requestHash: hashOf(request),
    status: reply.statusCode,
    headers: JSON.stringify(etag === undefined ? {} : { etag }),
    // Sealed: the answer may be the only one with a whole API key.
    body: answer === undefined ? '' : secretBox.seal(JSON.stringify(answer)),
    at: now(),
  })
}

const hashOf = ({ method, url, body }: FastifyRequest) => sha256(JSON.stringify([method, url, body ?? null]))
