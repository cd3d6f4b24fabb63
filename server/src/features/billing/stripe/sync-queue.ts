import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../errors/app-error.ts'
import { createLease, type Lease } from '../../../leases/lease.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/time.ts'
import { settleAccounts } from '../sandbox/in-account.ts'
import { describeSilence } from './silence.ts'
import { isOutOfReach } from './stripe-client.ts'
import { syncAccount } from './sync.ts'
import {
  claimSync,
  type DueSync,
  failSync,
  finishSync,
  listDueSyncs,
  scheduleUnsynced,
} from './sync-queue.repo.ts'

/** Each account is read this often even without events. */
const reconcileEveryMs = hourMs
/**
 * Longer than a sync takes while Stripe responds; after that, another process takes over from one that died. Two syncs
 * at once do no harm.
 */
export const claimMs = minuteMs
const leaseMs = minuteMs
const pollMs = 2 * secondMs
/** How often ending periods and grace periods are checked for. */
const settleEveryMs = minuteMs
/** How often the log repeats that Stripe's events do not arrive. */
const warnEveryMs = dayMs
const batchSize = 20
/** Stripe allows 100 reads a second; a sync makes four. */
const looksAtOnceMax = 4
const retryMinMs = 5 * secondMs

const retryDelayMs = (tries: number) => Math.min(retryMinMs * 2 ** Math.min(tries, 20), reconcileEveryMs)

/**
 * Runs the syncs with Stripe that are due, one per account at a time. Throws `billing_unavailable` if Stripe is out of
 * reach for all of them.
 */
export async function runDueSyncs(ctx: Context, mayGoOn: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const due = await listDueSyncs(ctx.db, ctx.now(), batchSize)
    if (due.length === 0 || !(await mayGoOn())) return
    const lanes = Array.from({ length: looksAtOnceMax }, async () => {
      for (let next = due.pop(); next !== undefined; next = due.pop()) await syncOne(ctx, next)
    })
    const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

async function syncOne(ctx: Context, { accountId, customerId, tries }: DueSync): Promise<void> {
  const now = ctx.now()
  const claimedUntil = now + claimMs
  if (!(await transact(ctx, ({ db }) => claimSync(db, accountId, { now, until: claimedUntil })))) return
  try {
    const differences = await syncAccount(ctx, accountId, customerId)
    if (differences.length > 0) ctx.log.info({ accountId, differences }, 'billing was updated from Stripe')
    const next = ctx.now() + reconcileEveryMs
    await transact(ctx, ({ db }) => finishSync(db, accountId, { claimedUntil, next }))
  } catch (error) {
    const next = ctx.now() + retryDelayMs(tries)
    await transact(ctx, ({ db }) => failSync(db, accountId, { tries: tries + 1, next }))
    if (isOutOfReach(error)) throw error
    // An account that cannot be read from Stripe must not delay the others.
    ctx.log.error({ err: error, accountId }, 'an account could not be read from Stripe; trying again')
  }
}

/** Keeps our tables in step with Stripe: reads the accounts named by events, and each account once an hour. */
export class SyncQueue {
  readonly #ctx: Context
  readonly #lease: Lease
  readonly #stop = new AbortController()
  #nudge = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #settledAt = 0
  #listenedAt = 0
  #warnedAt = 0

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#lease = createLease(ctx, 'stripe', leaseMs)
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Called when a sync has been requested. */
  wake(): void {
    this.#nudge.abort()
  }

  async #run(): Promise<void> {
    let failures = 0
    while (!this.#stop.signal.aborted) {
      this.#nudge = new AbortController()
      try {
        await this.#round()
        failures = 0
      } catch (error) {
        failures++
        const message = error instanceof AppError ? error.message : 'Stripe could not be read'
        this.#ctx.log.error({ err: error, failures }, message)
      }
      await this.#rest(failures === 0 ? pollMs : retryDelayMs(failures))
    }
    await this.#lease.release()
  }

  async #round(): Promise<void> {
    const ctx = this.#ctx
    if (ctx.now() - this.#settledAt >= settleEveryMs) {
      this.#settledAt = ctx.now()
      await transact(ctx, ({ db }) => scheduleUnsynced(db, ctx.now()))
      await settleAccounts(ctx)
    }
    await this.#listen()
    await runDueSyncs(ctx, async () => !this.#stop.signal.aborted && this.#lease.hold())
  }

  /** Looks once an hour, in one process, whether Stripe's events arrive. */
  async #listen(): Promise<void> {
    const now = this.#ctx.now()
    if (now - this.#listenedAt < hourMs || !(await this.#lease.hold())) return
    this.#listenedAt = now
    const silence = await describeSilence(this.#ctx)
    if (silence === undefined || now - this.#warnedAt < warnEveryMs) return
    this.#warnedAt = now
    this.#ctx.log.error(silence)
  }

  /** While Stripe is out of reach, events do not cause earlier retries. */
  async #rest(restMs: number): Promise<void> {
    const signals = restMs === pollMs ? [this.#stop.signal, this.#nudge.signal] : [this.#stop.signal]
    await sleep(restMs, undefined, { signal: AbortSignal.any(signals), ref: false }).catch(() => {})
  }

  /** Waits for running syncs. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}
