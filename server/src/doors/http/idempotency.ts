import { changeSetHeader } from '@loci/contract/changes'
import { proposalHeader } from '@loci/contract/proposals'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import {
  createSecretBox,
  createSigner,
  type SecretBox,
  type Signer,
  sha256,
} from '../../ground/lib/secrets.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import {
  deleteOldIdempotencyKeys,
  findIdempotencyKey,
  insertIdempotencyKey,
} from '../../tenancy/idempotency.repo.ts'
import { defaultSpaceId } from '../../tenancy/scope.ts'

const keyLengthMax = 255
const keptMs = dayMs

type Write = {
  actor: Actor
  request: FastifyRequest
  /** As validated: what the operation does not know, of any depth, is not compared. */
  body: unknown
  reply: FastifyReply
  /** Runs between two transactions. */
  remote: boolean
  /** Request or response contains a secret. */
  secret: boolean
}

/**
 * Runs a write once for each `Idempotency-Key`. The response is stored in the write's own transaction and replayed
 * for the same request; a different request with the same key is refused. Keys are per caller. A refused write stores
 * nothing. A `remote` write runs between two transactions instead, so concurrent duplicates both run.
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
  const ownKey = placeOf(ctx.signer, write, key)
  const inTransaction = <T>(work: (inner: Context) => Promise<T>) =>
    transact(ctx, write.actor.accountId, work)
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

/** Where the response of a write is stored. */
type Place = {
  /** The row's key; for a write with a secret it does not reveal the caller's key. */
  row: string
  /** The row's key if the caller's key was used for a write of the other kind. */
  otherRow: string
  /**
   * The secret that the caller's key makes together with the server's own: it seals the response of a write with a
   * secret, so that neither the database nor the server can open it without the caller.
   */
  sealedWith: string
}

/** Keys are separate for each caller and space. */
function placeOf(signer: Signer, { actor, secret }: Write, key: string): Place {
  const { keyId, connectionId, userId, spaceId } = actor
  const owner = [
    keyId ?? connectionId ?? userId,
    ...(spaceId === defaultSpaceId ? [] : [toId('spc', spaceId)]),
  ]
  const [open, closed] = [[...owner, key].join(' '), [...owner, sha256(key)].join(' ')]
  return {
    row: secret ? closed : open,
    otherRow: secret ? open : closed,
    sealedWith: signer.sign('idempotent secret', `${owner.join(' ')} ${key}`),
  }
}

function boxOf({ secretBox }: Context, { secret }: Write, place: Place): SecretBox {
  return secret ? createSecretBox(place.sealedWith, 'response') : secretBox
}

/** Writes the stored response into the reply. Throws `idempotency_conflict`. */
async function replay(ctx: Context, write: Write, place: Place): Promise<{ answer: unknown } | undefined> {
  const { actor, reply } = write
  const keys = [place.row, place.otherRow]
  const kept = await findIdempotencyKey(ctx.db, actor.accountId, keys, ctx.now() - keptMs)
  if (kept === undefined) return undefined
  if (kept.key !== place.row || kept.requestHash !== hashOf(write, place)) {
    throw new AppError('idempotency_conflict', 'This Idempotency-Key was used for another request')
  }
  const text = kept.body === '' ? '' : boxOf(ctx, write, place).open(kept.body)
  if (text === undefined) {
    throw new AppError(
      'idempotency_conflict',
      "This request was already done. Its answer can no longer be read, because the server's secret has changed.",
    )
  }
  reply.code(kept.status).headers(JSON.parse(kept.headers)).header('idempotency-replayed', 'true')
  return { answer: text === '' ? undefined : JSON.parse(text) }
}

async function keep(ctx: Context, write: Write, place: Place, answer: unknown): Promise<void> {
  const { db, now } = ctx
  const { actor, reply } = write
  const etag = reply.getHeader('etag')
  const { proposalId, setSeq } = actor.operation ?? {}
  await deleteOldIdempotencyKeys(db, actor.accountId, now() - keptMs)
  await insertIdempotencyKey(db, actor, {
    key: place.row,
    requestHash: hashOf(write, place),
    status: reply.statusCode,
    headers: JSON.stringify({
      ...(etag !== undefined && { etag }),
      ...(setSeq !== undefined && { [changeSetHeader]: toId('set', setSeq) }),
      ...(proposalId !== undefined && { [proposalHeader]: proposalId }),
    }),
    body: answer === undefined ? '' : boxOf(ctx, write, place).seal(JSON.stringify(answer)),
    at: now(),
  })
}

/** Keyed if the body may hold a secret: a plain hash of a password or a card number would reveal it. */
function hashOf({ request: { method, url }, body, secret }: Write, { sealedWith }: Place): string {
  const text = JSON.stringify([method, url, body ?? null])
  return secret ? createSigner(sealedWith).sign('request', text) : sha256(text)
}
