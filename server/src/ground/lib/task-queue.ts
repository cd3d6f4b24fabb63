import { createFairQueue } from './fair-queue.ts'

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
  const waitingOf = new Map<string, number>()
  let running = 0

  function wait(key: string): Promise<void> {
    const ahead = waitingOf.get(key) ?? 0
    if (waiting.size >= waitingMax || ahead >= waitingPerKeyMax) throw new TaskQueueFullError()
    waitingOf.set(key, ahead + 1)
    return new Promise((resolve) => {
      waiting.push(key, () => {
        const left = waitingOf.get(key)! - 1
        if (left === 0) waitingOf.delete(key)
        else waitingOf.set(key, left)
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
