import { AppError } from '../errors/app-error.ts'
import { secondMs } from '../lib/time.ts'
import { createTokenBuckets, type Rate } from '../lib/token-buckets.ts'

/** Far above what agents and people do; a loop that runs wild or a benchmark gets there. */
const calls: Rate = { perSecond: 1_000, burst: 10_000 }
const bytes: Rate = { perSecond: 40_000_000, burst: 128_000_000 }

/**
 * Counts a call of an account, and the bytes of its body, or throws `rate_limited` when the account calls faster than
 * is fair to the others.
 */
export type BurstLimit = (accountId: number, bodyBytes: number, callCount?: number) => void

/** Each process counts for itself. */
export function createBurstLimit(now: () => number): BurstLimit {
  const callBuckets = createTokenBuckets<number>(calls, now)
  const byteBuckets = createTokenBuckets<number>(bytes, now)
  return (accountId, bodyBytes, callCount = 1) => {
    requireTokens(callBuckets.take(accountId, callCount), calls, 'calls')
    if (bodyBytes > 0) requireTokens(byteBuckets.take(accountId, bodyBytes), bytes, 'bytes')
  }
}

export const noBurstLimit: BurstLimit = () => {}

function requireTokens(waitMs: number, { perSecond, burst }: Rate, what: string): void {
  if (waitMs === 0) return
  const retryAfter = Math.ceil(waitMs / secondMs)
  const words = `An account may send ${perSecond.toLocaleString('en-US')} ${what} a second. Try again in a moment.`
  throw new AppError('rate_limited', words, {
    retryAfter,
    rateLimit: { limit: burst, remaining: 0, resetSeconds: retryAfter },
  })
}
