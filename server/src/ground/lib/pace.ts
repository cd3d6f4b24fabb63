import { setImmediate as nextTask } from 'node:timers/promises'

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
    await pace()
    mapped.push(map(item))
  }
  return mapped
}
