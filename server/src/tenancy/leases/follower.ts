import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs, secondMs } from '../../ground/lib/time.ts'
import { jobLooked } from '../../ground/telemetry/events.ts'
import type { Context } from '../context.ts'
import { createLease, type Lease, LeaseLost } from './lease.ts'

/** Checks without a commit, since a process can die before it tells of one. */
const restsWhileTold = 60
const retryMinMs = secondMs
const retryMaxMs = minuteMs

/** A background job that catches up with what is stored, space by space, in one process at a time. */
export type FollowerJob<Space> = {
  /** Name of the lease. */
  name: string
  /** Longer than the longest step between two lease renewals. */
  leaseMs: number
  /** Pause between two checks for work; while there is none, and commits are told of, up to 60 times as long. */
  restMs?: number | undefined
  /** Whether work that was begun goes on, or when the next is due, in milliseconds from now. */
  dueInMs?: () => number | undefined
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

/** Up to `mostMs`, which a commit ends after `leastMs`. */
type Pause = { leastMs: number; mostMs?: number }

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
  let wake = () => {}
  const endHints = ctx.changes.onAnyCommit(() => wake())
  const idleMs = endHints === undefined ? restMs : restsWhileTold * restMs

  /** Visits every space with work once; returns how long to pause, at most if nothing is committed. */
  async function visitAll(): Promise<Pause> {
    const startedAt = performance.now()
    let hasMore = false
    let isIdle = true
    for await (const space of job.behind(lease)) {
      if (signal.aborted || !(await lease.hold())) return { leastMs: restMs }
      isIdle = false
      if (await job.catchUp(space, lease, signal)) hasMore = true
      failures = 0
    }
    if (jobLooked.isHeard) jobLooked.publish({ job: job.name, isIdle })
    if (isIdle) await job.onIdle?.(lease, signal)
    failures = 0
    if (!isIdle) return { leastMs: hasMore ? 0 : restMs }
    // With very many spaces, looking for work takes up at most a tenth of the time.
    const leastMs = Math.max(restMs, (performance.now() - startedAt) * 9)
    return { leastMs, mostMs: Math.min(idleMs, job.dueInMs?.() ?? idleMs) }
  }

  async function fail(error: unknown): Promise<Pause> {
    if (signal.aborted || error instanceof LeaseLost) return { leastMs: restMs }
    failures += 1
    const atLeastMs = await job.onFailure(error, failures).catch(() => undefined)
    return { leastMs: Math.min(retryMaxMs, Math.max(backOffMs(failures), atLeastMs ?? 0)) }
  }

  async function pause({ leastMs, mostMs = 0 }: Pause, told: Promise<void>): Promise<void> {
    await sleep(leastMs, undefined, { signal })
    if (mostMs <= leastMs) return
    const ending = new AbortController()
    const longer = sleep(mostMs - leastMs, undefined, { signal: AbortSignal.any([signal, ending.signal]) })
    await Promise.race([longer, told]).finally(() => ending.abort())
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const told = new Promise<void>((resolve) => {
        wake = resolve
      })
      await pause(await visitAll().catch(fail), told).catch(() => {})
    }
  }

  const running = run()
  return {
    async close() {
      stop.abort()
      endHints?.()
      await running
      await lease.release().catch(() => {})
    },
  }
}

const backOffMs = (failures: number) => Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(failures - 1, 10))
