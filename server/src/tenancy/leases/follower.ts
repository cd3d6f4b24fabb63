import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs, secondMs } from '../../ground/lib/time.ts'
import { jobLooked } from '../../ground/telemetry/events.ts'
import type { Context } from '../context.ts'
import { createLease, type Lease, LeaseLost } from './lease.ts'

/** All accounts are checked without a commit, since a process can die before it tells of one: after so many pauses. */
const restsWhileTold = 60
const untoldMinMs = minuteMs
/** A timer can fire early by as much. */
const timerErrorMs = 2
const retryMinMs = secondMs
const retryMaxMs = minuteMs

/** A background job that catches up with what is stored, space by space, in one process at a time. */
export type FollowerJob<Space> = {
  /** Name of the lease. */
  name: string
  /** Longer than the longest step between two lease renewals. */
  leaseMs: number
  /** Pause between two checks for work; while there is none, and commits are told of, a minute or 60 times as long. */
  restMs?: number | undefined
  /** When there will be work without a further commit, in milliseconds from now. */
  dueInMs?: () => number | undefined
  /** Whether work that was begun goes on, so that the next check follows after the pause. */
  isBusy?: () => boolean
  /**
   * The spaces with work to do, of these accounts if some are given: those that committed since the last check. Every
   * process calls this, so it must not write without holding the lease.
   */
  behind: (lease: Lease, accountIds: readonly number[] | undefined) => AsyncIterable<Space>
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
  /** Lets the next check include this account. */
  tell: (accountId: number) => void
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
  /** The accounts to check, and when all of them are. */
  const told = new Set<number>()
  let allAt = 0
  const tell = (accountId: number) => {
    told.add(accountId)
    wake()
  }
  const endHints = ctx.changes.onAnyCommit(tell)
  const idleMs = endHints === undefined ? restMs : Math.max(untoldMinMs, restsWhileTold * restMs)

  /** The accounts of the next check; undefined for all. */
  function takeTold(): number[] | undefined {
    const isForTold = endHints !== undefined && performance.now() + timerErrorMs < allAt
    const accountIds = isForTold ? [...told] : undefined
    told.clear()
    if (accountIds === undefined) allAt = performance.now() + idleMs
    return accountIds
  }

  /** Visits every space with work once; returns how long to pause, at most if nothing is committed. */
  async function visit(accountIds: readonly number[] | undefined): Promise<Pause> {
    const startedAt = performance.now()
    let hasMore = false
    let isIdle = true
    for await (const space of job.behind(lease, accountIds)) {
      if (signal.aborted || !(await lease.hold())) return again(accountIds, restMs, job.leaseMs / 4)
      isIdle = false
      if (await job.catchUp(space, lease, signal)) hasMore = true
      failures = 0
    }
    if (jobLooked.isHeard) jobLooked.publish({ job: job.name, isIdle })
    if (isIdle) await job.onIdle?.(lease, signal)
    failures = 0
    if (!isIdle) return again(accountIds, hasMore ? 0 : restMs)
    const endedAt = performance.now()
    allAt = Math.min(allAt, endedAt + (job.dueInMs?.() ?? idleMs))
    // With very many spaces, looking for work takes up at most a tenth of the time.
    const leastMs = Math.max(restMs, (endedAt - startedAt) * 9)
    return { leastMs, mostMs: job.isBusy?.() === true ? 0 : allAt - endedAt }
  }

  /** Lets the next check include what this one was for; if that was all accounts, after `allInMs`. */
  function again(accountIds: readonly number[] | undefined, leastMs: number, allInMs = leastMs): Pause {
    for (const accountId of accountIds ?? []) told.add(accountId)
    if (accountIds !== undefined) return { leastMs }
    allAt = performance.now() + allInMs
    return { leastMs, mostMs: allInMs }
  }

  async function fail(error: unknown): Promise<Pause> {
    if (signal.aborted || error instanceof LeaseLost) return again(undefined, restMs)
    failures += 1
    const atLeastMs = await job.onFailure(error, failures).catch(() => undefined)
    return again(undefined, Math.min(retryMaxMs, Math.max(backOffMs(failures), atLeastMs ?? 0)))
  }

  async function pause({ leastMs, mostMs = 0 }: Pause, isTold: Promise<void>): Promise<void> {
    await sleep(leastMs, undefined, { signal })
    if (mostMs <= leastMs) return
    const ending = new AbortController()
    const longer = sleep(mostMs - leastMs, undefined, { signal: AbortSignal.any([signal, ending.signal]) })
    await Promise.race([longer, isTold]).finally(() => ending.abort())
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const isTold = new Promise<void>((resolve) => {
        wake = resolve
      })
      await pause(await visit(takeTold()).catch(fail), isTold).catch(() => {})
    }
  }

  const running = run()
  return {
    tell,
    async close() {
      stop.abort()
      endHints?.()
      await running
      await lease.release().catch(() => {})
    },
  }
}

const backOffMs = (failures: number) => Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(failures - 1, 10))
