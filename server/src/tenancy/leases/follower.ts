import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs, secondMs } from '../../ground/lib/time.ts'
import { jobLooked } from '../../ground/telemetry/events.ts'
import type { Context } from '../context.ts'
import { createLease, type Lease, LeaseLost } from './lease.ts'

const retryMinMs = secondMs
const retryMaxMs = minuteMs

/** A background job that catches up with what is stored, space by space, in one process at a time. */
export type FollowerJob<Space> = {
  /** Name of the lease. */
  name: string
  /** Longer than the longest step between two lease renewals. */
  leaseMs: number
  /** Pause between two checks for work. */
  restMs?: number | undefined
  /** The spaces with work to do. Every process calls this, so it must not write without holding the lease. */
  behind: (lease: Lease) => AsyncIterable<Space>
  /**
   * Does the next part of a space's work and returns whether more is left. It stores its cursor together with the
   * result in a transaction that holds the lease, and throws {@link LeaseLost} if it cannot.
   */
  catchUp: (space: Space, lease: Lease, signal: AbortSignal) => Promise<boolean>
  /** Called when no space has work to do. */
  onIdle?: (lease: Lease, signal: AbortSignal) => Promise<void>
  /** Called after the nth consecutive failure. Can return a minimum wait before the next attempt. */
  onFailure: (error: unknown, failures: number) => Promise<number | undefined>
}

export type Follower = {
  /** Aborts the current step and releases the lease. */
  close: () => Promise<void>
}

/**
 * Starts a follower. It renews its lease before each space; if its process dies, another takes over
 * when the lease expires. After a failure it waits 1 second, doubling each time up to a minute.
 */
export function startFollower<Space>(ctx: Context, job: FollowerJob<Space>): Follower {
  const { restMs = secondMs } = job
  const lease = createLease(ctx, job.name, job.leaseMs)
  const stop = new AbortController()
  const { signal } = stop
  let failures = 0

  /** Visits every space with work once; returns how long to pause. */
  async function visitAll(): Promise<number> {
    const startedAt = performance.now()
    let hasMore = false
    let isIdle = true
    for await (const space of job.behind(lease)) {
      if (signal.aborted || !(await lease.hold())) return restMs
      isIdle = false
      if (await job.catchUp(space, lease, signal)) hasMore = true
      failures = 0
    }
    if (jobLooked.isHeard) jobLooked.publish({ job: job.name, isIdle })
    if (isIdle) await job.onIdle?.(lease, signal)
    failures = 0
    if (!isIdle) return hasMore ? 0 : restMs
    // With very many spaces, looking for work takes up at most a tenth of the time.
    return Math.max(restMs, (performance.now() - startedAt) * 9)
  }

  async function fail(error: unknown): Promise<number> {
    if (signal.aborted || error instanceof LeaseLost) return restMs
    failures += 1
    const atLeastMs = await job.onFailure(error, failures).catch(() => undefined)
    return Math.min(retryMaxMs, Math.max(backOffMs(failures), atLeastMs ?? 0))
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await visitAll().catch(fail)
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    async close() {
      stop.abort()
      await running
      await lease.release().catch(() => {})
    },
  }
}

const backOffMs = (failures: number) => Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(failures - 1, 10))
