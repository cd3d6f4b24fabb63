import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../errors/app-error.ts'
import { toId } from '../lib/ids.ts'
import { sha256 } from '../lib/secrets.ts'
import { dayMs } from '../lib/time.ts'
import { breathe } from '../lib/turns.ts'
import { defaultSpaceId } from '../scope.ts'
import {
  deleteIdempotencyKey,
  deleteOldIdempotencyKeys,
  findIdempotencyKey,
  insertIdempotencyKey,
  listIdempotencyKeys,
} from './idempotency.repo.ts'

const keyLengthMax = 255
const keptMs = dayMs

type Write = {
  actor: Actor
  request: FastifyRequest
  reply: FastifyReply
  /** Runs between two transactions. */
  remote: boolean
  /** Request or response contains a secret. */
  secret: boolean
}

/**
 * Runs a write once for each `Idempotency-Key`. The response is stored in the write's own transaction and replayed
 * for the same request; a different request with the same key is refused. Keys are per caller. A refused write stores
 * nothing. For a write with a secret the response is not stored, and repeating the request is refused. A `remote`
 * write runs between two transactions instead, so concurrent duplicates both run.
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
  const ownKey = keyIn(write, key)
  const inTransaction = <T>(work: (inner: Context) => Promise<T>) =>
    transact(ctx, work, write.actor.accountId)
  if (write.remote) {
    const kept = await inTransaction((inner) => replay(inner, write, ownKey))
    if (kept !== undefined) return kept.answer
    const answer = await run(ctx)
    await inTransaction((inner) => keep(inner, write, ownKey, answer))
    return answer
  }
  return inTransaction(async (inner) => {
    const kept = await replay(inner, write, ownKey)
    if (kept !== undefined) return kept.answer
    const answer = await run(inner)
    await keep(inner, write, ownKey, answer)
    return answer
  })
}

/** Keys are separate for each caller and space. */
function keyIn({ actor: { keyId, connectionId, userId, spaceId } }: Write, key: string): string {
  const caller = keyId ?? connectionId ?? userId
  return spaceId === defaultSpaceId ? `${caller} ${key}` : `${caller} ${toId('spc', spaceId)} ${key}`
}

/** Placeholder for a response that was not stored; a sealed response is longer. */
const secretAnswer = 'secret'

/** Writes the stored response into the reply. Throws `idempotency_conflict`. */
async function replay(
  { db, now, secretBox }: Context,
  write: Write,
  key: string,
): Promise<{ answer: unknown } | undefined> {
  const { actor, reply } = write
  const kept = await findIdempotencyKey(db, actor.accountId, key, now() - keptMs)
  if (kept === undefined) return undefined
  if (kept.requestHash !== hashOf(write)) {
    throw new AppError('idempotency_conflict', 'This Idempotency-Key was used for another request')
  }
  if (kept.body === secretAnswer) {
    throw new AppError(
      'idempotency_conflict',
      'This request was done already. It holds a secret, so its answer was not kept.',
    )
  }
  const text = kept.body === '' ? '' : secretBox.open(kept.body)
  if (text === undefined) {
    throw new AppError(
      'idempotency_conflict',
      "This request was done already. Its answer cannot be read any more, since the server's secret changed.",
    )
  }
  reply.code(kept.status).headers(JSON.parse(kept.headers)).header('idempotency-replayed', 'true')
  return { answer: text === '' ? undefined : JSON.parse(text) }
}

async function keep(
  { db, now, secretBox }: Context,
  write: Write,
  key: string,
  answer: unknown,
): Promise<void> {
  const { actor, reply, secret } = write
  const etag = reply.getHeader('etag')
  await deleteOldIdempotencyKeys(db, actor.accountId, now() - keptMs)
  await insertIdempotencyKey(db, actor, {
    key,
    requestHash: hashOf(write),
    status: reply.statusCode,
    headers: JSON.stringify(etag === undefined ? {} : { etag }),
    body: secret ? secretAnswer : answer === undefined ? '' : secretBox.seal(JSON.stringify(answer)),
    at: now(),
  })
}

/** Without secrets: a fast hash of a password or a card number would reveal it. */
function hashOf({ request: { method, url, body }, secret }: Write): string {
  return sha256(JSON.stringify([method, url, secret ? null : (body ?? null)]))
}

const answersPerRead = 50
const idInText = /\b(?:ent|obs|rel)_[0-9a-z]{1,11}\b/g

/** Deletes stored responses that mention one of these ids: their requests would run again. */
export async function forgetAnswersWith(
  { db, secretBox }: Context,
  accountId: number,
  ids: ReadonlySet<string>,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { key: string; body: string }[] = await listIdempotencyKeys(db, accountId, {
      after,
      limit: answersPerRead,
    })
    for (const { key, body } of page) {
      await breathe()
      const text = body === '' || body === secretAnswer ? '' : secretBox.open(body)
      if (text?.match(idInText)?.some((id) => ids.has(id))) await deleteIdempotencyKey(db, accountId, key)
    }
    after = page.length < answersPerRead ? undefined : page.at(-1)?.key
  }
}
