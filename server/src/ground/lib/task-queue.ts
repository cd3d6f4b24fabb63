import { createFairQueue, createTally } from './fair-queue.ts'

/** Runs a few tasks at a time; tasks of different keys take turns. */
export type TaskQueue = {
  /** Throws {@link TaskQueueFullError} if this key, or all keys together, have too many tasks waiting. */
  run: <T>(key: string, work: () => Promise<T>) => Promise<T>
}

export class TaskQueueFullError extends Error {
  override name = 'TaskQueueFullError'
}

type Bounds = { atOnce: number; waitingMax: number; waitingPerKeyMax: number }

export function createTaskQueue({ atOnce, waitingMax, waitingPerKeyMax }: Bounds): TaskQueue {
  const waiting = createFairQueue<() => void>()
  const waitingOf = createTally<string>()
  let running = 0

  function wait(key: string): Promise<void> {
    if (waiting.size >= waitingMax || waitingOf.get(key) >= waitingPerKeyMax) throw new TaskQueueFullError()
    waitingOf.add(key, 1)
    return new Promise((resolve) => {
      waiting.push(key, () => {
        waitingOf.add(key, -1)
        resolve()
      })
    })
  }

  return {
    async run(key, work) {
      // A finished task hands its slot directly to the next, so that nothing can take it in between.
      if (running < atOnce) running++
      else await wait(key)
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) running--
        else next()
      }
    },
  }
}
