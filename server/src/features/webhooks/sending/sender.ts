import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { type Follower, startFollower } from '../../../followers/follower.ts'
import { type Lease, LeaseLost } from '../../../leases/lease.ts'
import type { Resolve } from '../../../lib/look-up.ts'
import { createSlots } from '../../../lib/slots.ts'
import { hourMs, secondMs } from '../../../lib/time.ts'
import { createEventReader } from './event-reader.ts'
import { createPoster, type Poster } from './post.ts'
import { createPosterAside } from './post-aside.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { restMs } from './retries.rules.ts'
import { removeDeleted, sweepWebhooks } from './sweep.ts'
import { findTarget, hasWebhooks, listBehind, listRetrying, type Target } from './targets.repo.ts'
import { takeTurn } from './turn.ts'

const leaseMs = 10 * secondMs
const lookMs = 250
const targetsPerLook = 1_000
const sweepEveryMs = hourMs
/** Time for requests in flight when the server stops. */
const finishMs = 3 * secondMs

/** Concurrent requests in all and per account, so that one account's slow endpoints do not delay others. */
const atOnce = 500
const perAccountMax = 10

export type SenderOptions = {
  /** Timeout of one attempt. */
  tryMs?: number
  /** Polling interval. */
  lookMs?: number
  /** Resolves names if private addresses are refused. */
  resolve?: Resolve
}

/** One tenure of the lease. When the lease is lost, everything stops, since another process may now send. */
type Term = {
  recorder: Recorder
  /** Aborts requests. */
  cut: AbortController
  /** Abandons storing results. */
  quit: AbortController
}

/**
 * Sends the changes in the log to webhook endpoints, in one process at a time. Each endpoint has a cursor in the log,
 * which advances when an event was sent or scheduled for a retry, so no separate queue is needed.
 */
export class WebhookSender {
  readonly #ctx: Context
  readonly #options: SenderOptions
  readonly #poster: Poster
  readonly #slots = createSlots({ atOnce, perKeyMax: perAccountMax })
  readonly #reader: ReturnType<typeof createEventReader>
  readonly #ending = new AbortController()
  readonly #lanes = new Map<string, Promise<void>>()
  /** Until when each endpoint is paused after a failure. */
  readonly #rests = new Map<string, number>()
  #follower: Follower | undefined
  #term: Term | undefined
  #after = { accountId: 0, id: '' }
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(ctx: Context, options: SenderOptions = {}) {
    this.#ctx = ctx
    this.#options = options
    this.#reader = createEventReader(ctx)
    const { tryMs, resolve } = options
    const order = { allowsPrivate: ctx.config.webhooksAllowPrivate, tryMs }
    // A function cannot be passed to another thread.
    this.#poster = resolve === undefined ? createPosterAside(order) : createPoster({ ...order, resolve })
  }

  /** Number of endpoints being sent to. */
  get size(): number {
    return this.#lanes.size
  }

  start(): void {
    this.#follower = startFollower<Target[]>(this.#ctx, {
      name: 'webhooks',
      leaseMs,
      restMs: this.#options.lookMs ?? lookMs,
      behind: (lease) => this.#findWork(lease),
      catchUp: async (targets, lease) => this.#begin(targets, lease),
      onFailure: async (error, failures) => {
        if (failures === 1) this.#ctx.log.warn({ err: error }, 'webhooks cannot be sent; trying again')
        return undefined
      },
    })
  }

  async *#findWork(lease: Lease): AsyncGenerator<Target[], void> {
    const { db, now } = this.#ctx
    if (this.#lanes.size === 0 && !(await hasWebhooks(db))) return
    await this.#keepTerm(lease)
    // Their cursors may have been read before they advanced.
    const busy = new Set(this.#lanes.keys())
    const retrying = await listRetrying(db, now(), targetsPerLook)
    const behind = await listBehind(db, this.#after, targetsPerLook)
    const looked = behind.reduce((sum, { sources }) => sum + sources.length, 0)
    this.#after = looked < targetsPerLook ? { accountId: 0, id: '' } : behind.at(-1)!
    const found = new Map([...behind, ...retrying].map((target) => [target.id, target]))
    const ready = [...found.values()].filter((target) => !busy.has(target.id) && this.#isReady(target))
    if (ready.length > 0) yield ready
    await this.#tidy(lease)
  }

  /** Renews the lease while requests are in flight, which can take longer than the lease lasts. */
  async #keepTerm(lease: Lease): Promise<void> {
    if (this.#term === undefined || this.#lanes.size === 0 || (await lease.hold())) return
    this.#term.cut.abort(new LeaseLost())
    this.#term.quit.abort(new LeaseLost())
    this.#term = undefined
  }

  #isReady({ id }: Target): boolean {
    const restsUntil = this.#rests.get(id)
    if (restsUntil !== undefined && restsUntil <= this.#ctx.now()) this.#rests.delete(id)
    return !this.#lanes.has(id) && !this.#rests.has(id)
  }

  /** Called with the lease held. Always reports no more work, since lanes continue on their own. */
  #begin(targets: readonly Target[], lease: Lease): boolean {
    this.#term ??= this.#newTerm(lease)
    const term = this.#term
    for (const target of targets) {
      if (this.#ending.signal.aborted || this.#lanes.has(target.id)) continue
      const lane = this.#runLane(target, term)
        .catch((error) => this.#fail(error, target))
        .finally(() => this.#lanes.delete(target.id))
      this.#lanes.set(target.id, lane)
    }
    return false
  }

  #newTerm(lease: Lease): Term {
    const quit = new AbortController()
    return { recorder: createRecorder(this.#ctx, lease, quit.signal), cut: new AbortController(), quit }
  }

  /** Takes turns until the endpoint is up to date or must be paused. */
  async #runLane(first: Target, { recorder, cut }: Term): Promise<void> {
    const signals = { ending: this.#ending.signal, cut: cut.signal }
    const either = AbortSignal.any([signals.ending, signals.cut])
    // Read again under the lease: another process may have advanced the cursor since it was found.
    let target = await findTarget(this.#ctx.db, first)
    while (target !== undefined && !either.aborted) {
      const current = target
      const job = {
        ctx: this.#ctx,
        poster: this.#poster,
        reader: this.#reader,
        store: recorder.store,
        ...signals,
      }
      const end = await takeTurn(job, current, async (send) => {
        await this.#slots.take(first.accountId, either)
        return send().finally(() => this.#slots.give(first.accountId))
      })
      if (end.restsUntil !== undefined) this.#rests.set(first.id, end.restsUntil)
      if (!end.hasMore) return
      target = await findTarget(this.#ctx.db, first)
    }
  }

  #fail(error: unknown, { id }: Target): void {
    if (this.#ending.signal.aborted || error instanceof LeaseLost) return
    this.#rests.set(id, this.#ctx.now() + restMs)
    this.#ctx.log.warn({ err: error, webhook: id }, 'a webhook could not be sent; trying again')
  }

  async #tidy(lease: Lease): Promise<void> {
    const isSending = (id: string) => this.#lanes.has(id)
    await removeDeleted(this.#ctx, lease, isSending)
    // Either way, so that a clock that was set back does not put the sweep off.
    if (Math.abs(this.#ctx.now() - this.#sweptAt) < sweepEveryMs) return
    this.#sweptAt = this.#ctx.now()
    await sweepWebhooks(this.#ctx, lease)
  }

  /** Gives requests in flight a moment to finish, stores the results, then releases the lease. */
  async close(): Promise<void> {
    this.#ending.abort()
    await this.#lanesEnd()
    this.#term?.cut.abort()
    await this.#lanesEnd()
    this.#term?.quit.abort()
    await Promise.all(this.#lanes.values())
    this.#poster.close()
    await this.#follower?.close()
  }

  /** Resolves when all lanes have ended, or after a short wait. */
  async #lanesEnd(): Promise<void> {
    const stop = new AbortController()
    const moment = sleep(finishMs, undefined, { signal: stop.signal }).catch(() => {})
    await Promise.race([Promise.all(this.#lanes.values()), moment])
    stop.abort()
  }
}
