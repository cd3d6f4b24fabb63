import { AppError } from '../errors/app-error.ts'
import { secondMs } from '../lib/time.ts'
import { createTokenBuckets, type Rate } from '../lib/token-buckets.ts'

/** Far above what agents and people do; only runaway loops and benchmarks reach it. */
const calls: Rate = { perSecond: 1_000, burst: 10_000 }
const bytes: Rate = { perSecond: 40_000_000, burst: 128_000_000 }

/** Counts a call of an account and the bytes of its body. Throws `rate_limited` if the account exceeds its rate. */
export type BurstLimit = (accountId: number, bodyBytes: number, callCount?: number) => void

/** Each process counts separately. */
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
