import { AppError } from '../errors.ts'
import { type AttemptCounter, createAttemptCounter } from '../lib/attempts.ts'
import { minuteMs } from '../lib/time.ts'

/** Sign-ins and sign-ups of one address a minute, good or bad. */
const attemptsPerAddressMax = 100
/** Failed ones for one email in a quarter of an hour. */
const failuresPerEmailMax = 10

/** Keeps guessers from trying passwords at speed. Each process counts for itself. */
export type SignInLimit = { byAddress: AttemptCounter; byEmail: AttemptCounter }

export function createSignInLimit(now: () => number): SignInLimit {
  return {
    byAddress: createAttemptCounter(attemptsPerAddressMax, minuteMs, now),
    byEmail: createAttemptCounter(failuresPerEmailMax, 15 * minuteMs, now),
  }
}

/** Runs a sign-in or sign-up unless the address or the email tried too often. Throws `rate_limited`. */
export async function withSignInLimit<T>(
  limit: SignInLimit,
  caller: { address: string; email: string },
  attempt: () => Promise<T>,
): Promise<T> {
  requireTurn(limit.byAddress, caller.address)
  requireTurn(limit.byEmail, caller.email)
  limit.byAddress.count(caller.address)
  try {
    return await attempt()
  } catch (error) {
    limit.byEmail.count(caller.email)
    throw error
  }
}

function requireTurn(counter: AttemptCounter, key: string): void {
  const retryAfter = counter.waitOf(key)
  if (retryAfter === 0) return
  throw new AppError('rate_limited', 'Too many attempts. Try again later.', {
    retryAfter,
    rateLimit: { limit: counter.limit, remaining: 0, resetSeconds: retryAfter },
  })
}
