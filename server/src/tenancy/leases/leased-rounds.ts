import { setTimeout as sleep } from 'node:timers/promises'
import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { secondMs } from '../../ground/lib/time.ts'
import { jobLooked } from '../../ground/telemetry/events.ts'
import type { Context } from '../context.ts'
import { type GoOn, leaseMs, underLease } from './under-lease.ts'

const retryMinMs = 10 * secondMs

type Job = {
  /** Name of the lease. */
  name: string
  everyMs: number
  /** Calls `goOn` before each step, and ends when that returns false. */
  run: (goOn: GoOn) => Promise<void>
  /** Text of the log line about a failure. */
  failure: string
}

/**
 * Does a job at the start and then periodically, in one process at a time. A round that another process keeps from
 * beginning is tried again when its lease has ended; after a failure, in 10 seconds, doubling the delay each time.
 */
export function createLeasedRounds(
  ctx: Context,
  { name, everyMs, run, failure }: Job,
  times: { retryMinMs?: number; takeOverMs?: number } = {},
): PeriodicWork {
  const stop = new AbortController()
  const { signal } = stop
  const isOver = () => signal.aborted
  const delayMs = (failures: number) =>
    Math.min(everyMs, (times.retryMinMs ?? retryMinMs) * 2 ** Math.min(failures - 1, 20))
  let failures = 0

  /** Returns how long to wait for the next round. */
  async function round(): Promise<number> {
    const tell = (isIdle: boolean) => {
      if (jobLooked.isHeard) jobLooked.publish({ job: name, isIdle })
    }
    try {
      tell(false)
      const isDone = await underLease(ctx, { name, isOver, run })
      // Somebody else may be at it.
      tell(true)
      failures = 0
      return isDone ? everyMs : (times.takeOverMs ?? leaseMs)
    } catch (error) {
      failures += 1
      const retryInMs = delayMs(failures)
      ctx.log.error({ err: error, retryInMs }, failure)
      return retryInMs
    }
  }

  async function repeat(): Promise<void> {
    while (!signal.aborted) await sleep(await round(), undefined, { signal, ref: false }).catch(() => {})
  }

  let running: Promise<void> = Promise.resolve()
  return {
    start() {
      running = repeat()
    },
    close() {
      stop.abort()
      return running
    },
  }
}
