import { setTimeout as sleep } from 'node:timers/promises'

/** Lets background work wait until nothing more important runs. */
export type IdleWait = {
  /** Runs `work`, for which others wait. */
  during: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when no such work runs, at most after `msMax`. */
  until: (msMax: number) => Promise<void>
  /** The number of running works, at index 0, shared with other threads. See {@link untilZero}. */
  readonly running: Int32Array
}

const lookMs = 1

export function createIdleWait(): IdleWait {
  const waiting = new Set<() => void>()
  const running = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const isQuiet = () => running[0] === 0

  function resolveAll(): void {
    if (isQuiet()) for (const resolve of waiting) resolve()
  }

  return {
    async during(work) {
      running[0]!++
      try {
        return await work()
      } finally {
        running[0]!--
        // In a later turn of the event loop, so that first the result is sent and new requests are read.
        if (isQuiet() && waiting.size > 0) setImmediate(resolveAll)
      }
    },
    async until(msMax) {
      if (isQuiet()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, msMax)
      waiting.add(resolve)
      await promise
      waiting.delete(resolve)
      clearTimeout(timer)
    },
    running,
  }
}

/** {@link IdleWait.until} in any thread. Returns the milliseconds waited. */
export async function untilZero(running: Int32Array, msMax: number): Promise<number> {
  const begunAt = performance.now()
  let waitedMs = 0
  while (Atomics.load(running, 0) > 0 && waitedMs < msMax) {
    await sleep(lookMs)
    waitedMs = performance.now() - begunAt
  }
  return waitedMs
}
