import { AppError } from '../../ground/errors/app-error.ts'
import { sha256 } from '../../ground/lib/secrets.ts'
import { secondMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../context.ts'
import {
  type AttemptRate,
  addAttempt,
  lastClearing,
  listAttempts,
  removeAttempt,
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
  await transact(ctx, async ({ db }) => {
    for (const { by, rate } of inOrder(counted)) await removeAttempt(db, keyOf(by), rate)
  })
  return result
}

/** Counts an attempt whether it succeeds or fails. Throws `rate_limited` if there were too many. */
export async function countAttempt(ctx: Context, counted: readonly Counted[]): Promise<void> {
  // Checked before writing: refused callers must not hold up other writers.
  await requireNoWait(ctx, counted)
  const refused = await transact(ctx, async ({ db, now }) => {
    await sweepAttempts(db, now())
    for (const one of inOrder(counted)) {
      if (!(await addAttempt(db, keyOf(one.by), one.rate, now()))) return one
    }
    return undefined
  })
  if (refused !== undefined) throw tooMany(refused.rate, refused.rate.intervalMs)
}

async function requireNoWait({ db, now }: Context, counted: readonly Counted[]): Promise<void> {
  const clearsAt = await listAttempts(
    db,
    counted.map(({ by }) => keyOf(by)),
  )
  const waits = counted.map(({ by, rate }) => {
    const at = clearsAt.get(keyOf(by)) ?? 0
    const ahead = at > lastClearing(rate, now()) ? 0 : at - now()
    return { rate, waitMs: ahead - (rate.burst - 1) * rate.intervalMs }
  })
  const longest = waits.reduce((a, b) => (b.waitMs > a.waitMs ? b : a))
  if (longest.waitMs > 0) throw tooMany(longest.rate, longest.waitMs)
}

/** Hashed, so that the table reveals neither who tried nor from where. */
const keyOf = (by: string) => sha256(by)

/** The same order everywhere, so that concurrent attempts do not deadlock. */
const inOrder = (counted: readonly Counted[]) =>
  counted.toSorted((a, b) => (keyOf(a.by) < keyOf(b.by) ? -1 : 1))

function tooMany({ burst }: AttemptRate, waitMs: number): AppError {
  const retryAfter = Math.ceil(waitMs / secondMs)
  return new AppError('rate_limited', `Too many attempts. Try again in ${inWords(retryAfter)}.`, {
    retryAfter,
    rateLimit: { limit: burst, remaining: 0, resetSeconds: retryAfter },
  })
}

const inWords = (seconds: number) => (seconds === 1 ? 'a second' : `${seconds} seconds`)
