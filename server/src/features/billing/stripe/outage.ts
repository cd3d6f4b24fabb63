import { minuteMs, secondMs } from '../../../ground/lib/time.ts'

const pauseMinMs = 10 * secondMs
const pauseMaxMs = minuteMs
/** A single account can fail because of its own data at Stripe. */
const accountsMin = 2

/** Decides from the outcome of syncs whether Stripe is out of reach, and how long to leave it alone then. */
export type OutageWatch = {
  responded: () => void
  unreachable: (accountId: number) => void
  isPaused: () => boolean
}

/** @param now milliseconds that only ever grow */
export function watchOutage(now: () => number): OutageWatch {
  /** Accounts that failed since Stripe last responded. */
  const failed = new Set<number>()
  let pauses = 0
  let pausedUntil = 0
  const isPaused = () => now() < pausedUntil
  return {
    responded() {
      failed.clear()
      pauses = 0
      pausedUntil = 0
    },
    unreachable(accountId) {
      failed.add(accountId)
      if (failed.size < accountsMin || isPaused()) return
      pausedUntil = now() + Math.min(pauseMinMs * 2 ** pauses, pauseMaxMs)
      pauses++
    },
    isPaused,
  }
}
