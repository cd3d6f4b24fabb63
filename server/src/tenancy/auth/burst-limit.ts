import { AppError } from '../../ground/errors/app-error.ts'
import { secondMs } from '../../ground/lib/time.ts'
import { createTokenBuckets, type Rate } from '../../ground/lib/token-buckets.ts'

/** Half a thread: far above what agents and people need; only runaway loops and benchmarks reach it. */
const milliseconds: Rate = { perSecond: 500, burst: 30_000 }
/** Bodies are read before the call's turn, in which its time is measured. */
const bytes: Rate = { perSecond: 40_000_000, burst: 128_000_000 }
/** What a call is charged for the work before and after its turn: credentials, headers, parsing, sending. */
const msAroundCall = 0.2

/** Bounds what an account may use. Each process counts separately. */
export type BurstLimit = {
  /** Admits calls and the bytes of their body. Throws `rate_limited` if the account has exceeded its rate. */
  admit: (accountId: number, bodyBytes: number, calls?: number) => void
  /** Charges the processor time that a call took, in milliseconds. */
  charge: (accountId: number, ms: number) => void
}

export function createBurstLimit(now: () => number): BurstLimit {
  const msBuckets = createTokenBuckets<number>(milliseconds, now)
  const byteBuckets = createTokenBuckets<number>(bytes, now)
  return {
    admit(accountId, bodyBytes, calls = 1) {
      const what = 'use 500 milliseconds of processor time'
      requireTokens(msBuckets.take(accountId, calls * msAroundCall), milliseconds, what)
      if (bodyBytes > 0) requireTokens(byteBuckets.take(accountId, bodyBytes), bytes, 'send 40,000,000 bytes')
    },
    charge: (accountId, ms) => msBuckets.spend(accountId, ms),
  }
}

export const noBurstLimit: BurstLimit = { admit() {}, charge() {} }

function requireTokens(waitMs: number, { burst }: Rate, what: string): void {
  if (waitMs === 0) return
  const retryAfter = Math.ceil(waitMs / secondMs)
  throw new AppError('rate_limited', `An account may ${what} a second. Try again in a moment.`, {
    retryAfter,
    rateLimit: { limit: burst, remaining: 0, resetSeconds: retryAfter },
  })
}
