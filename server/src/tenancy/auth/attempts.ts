import { AppError } from '../../ground/errors/app-error.ts'
import { sha256 } from '../../ground/lib/secrets.ts'
import { secondMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../context.ts'
import {
  type AttemptRate,
  addAttempts,
  type Keyed,
  lastClearing,
  listAttempts,
  removeAttempts,
  sweepAttempts,
} from './attempts.repo.ts'

/** The key that an attempt is counted by, and its rate. */
export type Counted = { by: string; rate: AttemptRate }

/**
 * Runs an attempt that counts if it fails, unless there were too many failures. It is counted before it runs, so that
 * concurrent attempts count each other. Throws `rate_limited`.
 */
export async function withAttempts<T>(
  ctx: Context,
  counted: readonly Counted[],
  attempt: () => Promise<T>,
): Promise<T> {
  await countAttempt(ctx, counted)
  const result = await attempt()
  await transact(ctx, ({ db }) => removeAttempts(db, keyed(counted)))
  return result
}

/** Counts an attempt whether it succeeds or fails. Throws `rate_limited` if there were too many. */
export async function countAttempt(ctx: Context, counted: readonly Counted[]): Promise<void> {
  const inOrder = keyed(counted)
  const clearsAt = await listAttempts(
    ctx.db,
    inOrder.map(({ key }) => key),
    ctx.now(),
  )
  // Checked before writing: refused callers must not hold up other writers.
  requireNoWait(inOrder, clearsAt, ctx.now())
  const added = await transact(ctx, async ({ db, now }) => {
    const over = [...clearsAt].filter(([, at]) => at <= now()).map(([key]) => key)
    await sweepAttempts(db, over, now())
    return addAttempts(db, inOrder, now())
  })
  const refused = inOrder.find(({ key }) => !added.has(key))
  if (refused !== undefined) throw tooMany(refused.rate, refused.rate.intervalMs)
}

function requireNoWait(keys: readonly Keyed[], clearsAt: ReadonlyMap<string, number>, now: number): void {
  const waits = keys.map(({ key, rate }) => {
    const at = clearsAt.get(key) ?? 0
    const ahead = at > lastClearing(rate, now) ? 0 : at - now
    return { rate, waitMs: ahead - (rate.burst - 1) * rate.intervalMs }
  })
  const longest = waits.reduce((a, b) => (b.waitMs > a.waitMs ? b : a))
  if (longest.waitMs > 0) throw tooMany(longest.rate, longest.waitMs)
}

/**
 * Hashed, so that the table reveals neither who tried nor from where, and in the same order everywhere, so that
 * concurrent attempts do not deadlock.
 */
const keyed = (counted: readonly Counted[]): Keyed[] =>
  counted.map(({ by, rate }) => ({ key: sha256(by), rate })).sort((a, b) => (a.key < b.key ? -1 : 1))

function tooMany({ burst }: AttemptRate, waitMs: number): AppError {
  const retryAfter = Math.ceil(waitMs / secondMs)
  return new AppError('rate_limited', `Too many attempts. Try again in ${inWords(retryAfter)}.`, {
    retryAfter,
    rateLimit: { limit: burst, remaining: 0, resetSeconds: retryAfter },
  })
}

const inWords = (seconds: number) => (seconds === 1 ? 'a second' : `${seconds} seconds`)
