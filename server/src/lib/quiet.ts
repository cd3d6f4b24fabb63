/** Lets background work wait until nothing more important runs. */
export type Quiet = {
  /** Runs `work`, for which others wait. */
  during: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when no such work runs, at most after `msMax`. */
  until: (msMax: number) => Promise<void>
}

export function createQuiet(): Quiet {
  const waiting = new Set<() => void>()
  let running = 0

  function resolveAll(): void {
    if (running === 0) for (const resolve of waiting) resolve()
  }

  return {
    async during(work) {
      running++
      try {
        return await work()
      } finally {
        running--
        // In a later turn of the event loop, so that first the result is sent and new requests are read.
        if (running === 0 && waiting.size > 0) setImmediate(resolveAll)
      }
    },
    async until(msMax) {
      if (running === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, msMax)
      waiting.add(resolve)
      await promise
      waiting.delete(resolve)
      clearTimeout(timer)
    },
  }
}
