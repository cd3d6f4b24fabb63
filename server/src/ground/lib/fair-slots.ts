import { createFairQueue, createTally } from './fair-queue.ts'

/** Slots for concurrent work: a limit in total, and one per key. Waiting keys take turns. */
export type FairSlots<Key> = {
  /**
   * Runs `work` when a slot is free. Rejects if `signal` aborts first, and with {@link SlotsFullError} if this key, or
   * all keys together, have too many waiting.
   */
  run: <T>(key: Key, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>
}

export class SlotsFullError extends Error {
  override name = 'SlotsFullError'
}

type Bounds = { atOnce: number; perKeyMax?: number; waitingMax?: number; waitingPerKeyMax?: number }

export function createFairSlots<Key extends string | number>({
  atOnce,
  perKeyMax = atOnce,
  waitingMax = Number.POSITIVE_INFINITY,
  waitingPerKeyMax = waitingMax,
}: Bounds): FairSlots<Key> {
  const waiting = createFairQueue<() => void, Key>()
  const waitingOf = createTally<Key>()
  const taken = createTally<Key>()
  let running = 0
  const hasRoom = (key: Key) => running < atOnce && taken.get(key) < perKeyMax

  function begin(key: Key): void {
    running++
    taken.add(key, 1)
  }

  async function take(key: Key, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (hasRoom(key)) return begin(key)
    if (waiting.size >= waitingMax || waitingOf.get(key) >= waitingPerKeyMax) throw new SlotsFullError()
    waitingOf.add(key, 1)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = () => {
      begin(key)
      resolve()
    }
    const leave = () => {
      if (waiting.remove(key, start)) reject(signal?.reason)
    }
    waiting.push(key, start)
    signal?.addEventListener('abort', leave)
    await promise.finally(() => {
      waitingOf.add(key, -1)
      signal?.removeEventListener('abort', leave)
    })
  }

  return {
    async run(key, work, signal) {
      await take(key, signal)
      try {
        return await work()
      } finally {
        running--
        taken.add(key, -1)
        waiting.shift(hasRoom)?.()
      }
    },
  }
}
