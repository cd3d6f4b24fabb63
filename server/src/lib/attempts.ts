/** Counts attempts by key in fixed windows of time. */
export type AttemptCounter = {
  /** Seconds until `key` may try again, 0 when it may now. */
  waitOf: (key: string) => number
  count: (key: string) => void
  limit: number
}

const keysMax = 100_000

/** Allows `limit` attempts of a key in each window of `windowMs`. Forgets the oldest keys past 100,000. */
export function createAttemptCounter(limit: number, windowMs: number, now: () => number): AttemptCounter {
  const windows = new Map<string, { endsAt: number; used: number }>()
  const current = (key: string) => {
    const window = windows.get(key)
    return window !== undefined && window.endsAt > now() ? window : undefined
  }
  return {
    limit,
    waitOf(key) {
      const window = current(key)
      return window === undefined || window.used < limit ? 0 : Math.ceil((window.endsAt - now()) / 1_000)
    },
    count(key) {
      const window = current(key)
      if (window !== undefined) {
        window.used++
        return
      }
      windows.delete(key)
      windows.set(key, { endsAt: now() + windowMs, used: 1 })
      if (windows.size > keysMax) windows.delete(windows.keys().next().value!)
    },
  }
}
