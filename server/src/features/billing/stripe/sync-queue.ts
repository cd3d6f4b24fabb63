import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, hourMs, minuteMs, secondMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { createLease, type Lease } from '../../../tenancy/leases/lease.ts'
import { settleAccounts } from '../settle.ts'
import { describeMissingEvents } from './missing-events.ts'
import { createSyncPool, type SyncPool } from './sync-pool.ts'
import { scheduleUnsynced } from './sync-queue.repo.ts'

const leaseMs = minuteMs
/** How often the lease is renewed, or tried to be taken over. */
const tickMs = leaseMs / 4
/** How often the holder looks for due accounts, which on a cluster asks all nodes. */
const lookEveryMs = minuteMs
/** How often accounts are looked for that were never read. */
const scheduleEveryMs = minuteMs
/** How often the log repeats that Stripe's events do not arrive. */
const warnEveryMs = dayMs
/** Time for running syncs when the server stops; what they do not finish, another process does. */
const finishMs = 5 * secondMs

/**
 * Keeps our tables in step with Stripe: reads the accounts named by events, and each account once an hour. A process looks
 * for due accounts when it was asked to, or a sync failed; one process at a time does so without being asked.
 */
export class SyncQueue {
  readonly #ctx: Context
  readonly #lease: Lease
  readonly #pool: SyncPool
  readonly #stop = new AbortController()
  #nudge = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #scheduledAt = 0
  #settleAt = 0
  #lookAt = 0
  #isAsked = false
  #listenedAt = 0
  #warnedAt = 0

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#lease = createLease(ctx, 'stripe', leaseMs)
    this.#pool = createSyncPool(ctx, {
      mayStart: () => !this.#stop.signal.aborted,
      onEnd: (retryInMs) => {
        this.wake()
        if (retryInMs !== undefined) setTimeout(() => this.wake(), retryInMs).unref()
      },
    })
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Called when a sync has been requested, is to be tried again, or when there is room for another. */
  wake(): void {
    this.#isAsked = true
    this.#nudge.abort()
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#nudge = new AbortController()
      try {
        const isHolder = await this.#lease.hold()
        if (isHolder) await this.#tend()
        if (this.#isAsked || (isHolder && performance.now() >= this.#lookAt)) await this.#look()
      } catch (error) {
        this.#ctx.log.error({ err: error }, 'the syncs with Stripe could not be started; trying again')
      }
      const signal = AbortSignal.any([this.#stop.signal, this.#nudge.signal])
      await sleep(tickMs, undefined, { signal, ref: false }).catch(() => {})
    }
    await Promise.race([this.#pool.settled(), sleep(finishMs, undefined, { ref: false })])
    await this.#lease.release()
  }

  /** Starts what is due, once Stripe is no longer left alone after an outage. */
  async #look(): Promise<void> {
    if (this.#pool.isPaused()) return
    this.#isAsked = false
    try {
      await this.#pool.startDue()
      this.#lookAt = performance.now() + lookEveryMs
    } catch (error) {
      this.#isAsked = true
      throw error
    }
  }

  /** What is done by one process. */
  async #tend(): Promise<void> {
    const ctx = this.#ctx
    if (ctx.now() - this.#scheduledAt >= scheduleEveryMs) {
      this.#scheduledAt = ctx.now()
      await transact(ctx, ({ db }) => scheduleUnsynced(db, ctx.now()))
    }
    if (performance.now() >= this.#settleAt) this.#settleAt = performance.now() + (await settleAccounts(ctx))
    await this.#listen()
  }

  /** Looks once an hour whether Stripe's events arrive. */
  async #listen(): Promise<void> {
    const now = this.#ctx.now()
    if (now - this.#listenedAt < hourMs) return
    this.#listenedAt = now
    const silence = await describeMissingEvents(this.#ctx)
    if (silence === undefined || now - this.#warnedAt < warnEveryMs) return
    this.#warnedAt = now
    this.#ctx.log.error(silence)
  }

  /** Waits a moment for running syncs. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}
