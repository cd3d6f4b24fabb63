import { createFairQueue, createTally } from './fair-queue.ts'

/** FairSlots for concurrent work: a limit in total, and one per key. Waiting keys take turns. */
export type FairSlots = {
  /** Resolves when a slot is free; rejects if `signal` aborts first. */
  take: (key: number, signal: AbortSignal) => Promise<void>
  give: (key: number) => void
}

export function createFairSlots({ atOnce, perKeyMax }: { atOnce: number; perKeyMax: number }): FairSlots {
  const waiting = createFairQueue<() => void, number>()
  const taken = createTally<number>()
  let running = 0
  const hasRoom = (key: number) => running < atOnce && taken.get(key) < perKeyMax

  function begin(key: number): void {
    running++
    taken.add(key, 1)
  }

  return {
    async take(key, signal) {
      signal.throwIfAborted()
      if (hasRoom(key)) return begin(key)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const leave = () => {
        if (waiting.remove(key, resolve)) reject(signal.reason)
      }
      waiting.push(key, resolve)
      signal.addEventListener('abort', leave)
      await promise.finally(() => signal.removeEventListener('abort', leave))
    },
    give(key) {
      running--
      taken.add(key, -1)
      if (running >= atOnce) return
      const ready: { key?: number } = {}
      const next = waiting.shift((candidate) => {
        ready.key = candidate
        return hasRoom(candidate)
      })
      if (next === undefined || ready.key === undefined) return
      begin(ready.key)
      next()
    },
  }
}
