import { setImmediate as nextTask, setTimeout as sleep } from 'node:timers/promises'

/** Short, because another call needs several turns of the event loop and waits for as many of these slices. */
const longWorkMsMax = 1
const callMsMax = 5

let turnBegan: number | undefined

/**
 * Await this regularly in long work, such as a large write: yields to other work when the current turn has lasted 1
 * ms.
 */
export function breathe(): Promise<void> | undefined {
  if (turnBegan === undefined) {
    turnBegan = performance.now()
    setImmediate(() => {
      turnBegan = undefined
    })
    return undefined
  }
  return performance.now() - turnBegan < longWorkMsMax ? undefined : nextTask()
}

/**
 * Creates a `breathe` for one call that somebody waits for: it yields to others every 5 ms. A call that yielded more
 * often would wait for a slice of every long-running task each time.
 */
export function createPace(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => (performance.now() - began < callMsMax ? undefined : rest())

  async function rest(): Promise<void> {
    await nextTask()
    began = performance.now()
  }
}

/** Maps items of which each may take long, and yields to other work in between. */
export async function mapPaced<T, U>(items: readonly T[], map: (item: T) => U): Promise<U[]> {
  const pace = createPace()
  const mapped: U[] = []
  for (const item of items) {
    const rest = pace()
    // Waiting for nothing takes longer than mapping a row.
    if (rest !== undefined) await rest
    mapped.push(map(item))
  }
  return mapped
}

/** Processor time of this thread, in milliseconds; of the process before Node 23.9, which cannot tell threads apart. */
export function processorMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}

/**
 * Divides a clock's time evenly among those who work at the same time: the clock cannot say which of them it was.
 * @param clock milliseconds, which pass only while somebody works
 */
export function createSharedTime(clock: () => number) {
  let working = 0
  let share = 0
  let settledAt = clock()

  function settle(): void {
    const at = clock()
    if (working > 0) share += (at - settledAt) / working
    settledAt = at
  }

  return {
    /** Begins to work. The returned function ends it, once, and says how many milliseconds were its own. */
    begin(): () => number {
      settle()
      working++
      const begunAt = share
      return () => {
        settle()
        working--
        return share - begunAt
      }
    },
  }
}

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
