import { setTimeout as sleep } from 'node:timers/promises'
import { createFairSlots } from '../../../ground/lib/fair-slots.ts'
import type { Resolve } from '../../../ground/lib/look-up.ts'
import { breathe } from '../../../ground/lib/pace.ts'
import { hourMs, secondMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { type Follower, startFollower } from '../../../tenancy/leases/follower.ts'
import { type Lease, LeaseLost } from '../../../tenancy/leases/lease.ts'
import { createEventReader } from './event-reader.ts'
import { createPoster, type Poster } from './post.ts'
import { createThreadPoster } from './post-in-thread.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { restMs } from './retries.rules.ts'
import { type SendResult, sendDue } from './send-due.ts'
import { createSentPositions } from './sent-positions.ts'
import { removeDeleted, sweepWebhooks } from './sweep.ts'
import {
  findNextRetry,
  findTarget,
  hasWebhooks,
  listBehind,
  listRetrying,
  type Target,
} from './targets.repo.ts'

const leaseMs = 10 * secondMs
const lookMs = 250
/** Looking for work gives way to calls for this long. */
const giveWayMs = 50
/** Polling intervals between two looks for the first endpoint of a server that has none. */
const looksPerLookForFirst = 20
/** Results are stored after this many polling intervals. */
const looksPerStore = 4
const targetsPerLook = 1_000
const sweepEveryMs = hourMs
/** Time for requests in flight when the server stops. */
const finishMs = 3 * secondMs

/** Concurrent requests in all and per account, so that one account's slow endpoints do not delay others. */
const atOnce = 500
const perAccountMax = 10
/** Reads at once: below the connections of PostgreSQL's pool, so that calls need not wait behind many endpoints. */
const readsAtOnce = 4
const readsPerAccountMax = 2

export type SenderOptions = {
  /** Timeout of one attempt. */
  tryMs?: number
  /** Polling interval. */
  lookMs?: number
  /** Resolves names if private addresses are refused. */
  resolve?: Resolve
}

/** `isCurrent` if the targets were read while this process held the lease, so no other has sent to them since. */
type Work = { targets: Target[]; isCurrent: boolean }

/** One tenure of the lease. When the lease is lost, everything stops, since another process may now send. */
type Term = {
  recorder: Recorder
  /** Aborts requests. */
  cut: AbortController
  /** Aborted when the server stops or requests are. */
  over: AbortSignal
  /** Abandons storing results. */
  quit: AbortController
}

/**
 * Sends the changes in the log to webhook endpoints, in one process at a time. Each endpoint has a cursor in the log,
 * which advances when an event was sent or scheduled for a retry, so no separate queue is needed.
 */
export class WebhookSender {
  readonly #ctx: Context
  readonly #lookMs: number
  readonly #poster: Poster
  readonly #slots = createFairSlots<number>({ atOnce, perKeyMax: perAccountMax })
  readonly #reads = createFairSlots<number>({ atOnce: readsAtOnce, perKeyMax: readsPerAccountMax })
  readonly #reader: ReturnType<typeof createEventReader>
  readonly #sent = createSentPositions()
  readonly #ending = new AbortController()
  readonly #lanes = new Map<string, Promise<void>>()
  /** Results of endpoints that can be sent to meanwhile. */
  readonly #stores = new Set<Promise<void>>()
  /** Until when each endpoint is paused after a failure. */
  readonly #rests = new Map<string, number>()
  #follower: Follower | undefined
  #term: Term | undefined
  #after = { accountId: 0, id: '' }
  /** Until then nobody else can take the lease. */
  #heldUntil = 0
  #sweptAt = Number.NEGATIVE_INFINITY
  #nextRetryAt: number | undefined
  /** Until then the server counts as one without endpoints, in milliseconds of `performance.now()`. */
  #unusedUntil = 0
  /** Until the next sweep. */
  #isKnownUsed = false
  /** Whether the last check for the first endpoint was put off until then. */
  #isPutOff = false

  constructor(ctx: Context, options: SenderOptions = {}) {
    this.#ctx = ctx
    this.#lookMs = options.lookMs ?? lookMs
    this.#reader = createEventReader(ctx, this.#reads)
    const { tryMs, resolve } = options
    const order = {
      allowsPrivate: ctx.config.webhooksAllowPrivate,
      callsRunning: ctx.callQueue.running,
      tryMs,
    }
    // A function cannot be passed to another thread.
    this.#poster = resolve === undefined ? createThreadPoster(order) : createPoster({ ...order, resolve })
  }

  /** Number of endpoints being sent to. */
  get size(): number {
    return this.#lanes.size
  }

  start(): void {
    this.#follower = startFollower<Work>(this.#ctx, {
      name: 'webhooks',
      leaseMs,
      restMs: this.#lookMs,
      behind: (lease, accountIds) => this.#findWork(lease, accountIds),
      catchUp: (work, lease) => this.#begin(work, lease),
      dueInMs: () => this.#dueInMs(),
      isBusy: () => this.#lanes.size + this.#stores.size > 0,
      onFailure: async (error, failures) => {
        if (failures === 1) this.#ctx.log.warn({ err: error }, 'webhooks cannot be sent; trying again')
        return undefined
      },
    })
  }

  async *#findWork(lease: Lease, accountIds: readonly number[] | undefined): AsyncGenerator<Work, void> {
    const { db, now, callQueue } = this.#ctx
    await callQueue.untilQuiet(giveWayMs)
    if (this.#lanes.size === 0 && !(await this.#isUsed())) return
    await this.#keepTerm(lease)
    if (accountIds?.length === 0) return
    const isCurrent = this.#holdsLease()
    // Their cursors may have been read before they advanced.
    const busy = new Set(this.#lanes.keys())
    const moveUp = this.#sent.applyFromNow()
    const nextRetryAt = await findNextRetry(db, accountIds)
    this.#nextRetryAt = accountIds === undefined ? nextRetryAt : earliest(this.#nextRetryAt, nextRetryAt)
    // Usually nothing is due, and a cluster spends five times as long on the join.
    const isDue = nextRetryAt !== undefined && nextRetryAt <= now()
    const retrying = isDue ? await listRetrying(db, now(), targetsPerLook) : []
    const behind = await this.#listBehind(accountIds)
    const found = new Map([...behind, ...retrying].map((target) => [target.id, target]))
    const targets = [...found.values()]
      .filter((target) => !busy.has(target.id) && this.#isReady(target))
      .map(moveUp)
      .filter((target) => hasWork(target, now()))
    if (targets.length > 0) yield { targets, isCurrent }
    if (accountIds === undefined || isDue) await this.#tidy(lease)
  }

  /** The next of all accounts, or those of some. */
  async #listBehind(accountIds: readonly number[] | undefined): Promise<Target[]> {
    const { db } = this.#ctx
    const isFull = (found: Target[]) =>
      found.reduce((sum, { sources }) => sum + sources.length, 0) === targetsPerLook
    if (accountIds === undefined) {
      const found = await listBehind(db, this.#after, targetsPerLook)
      this.#after = isFull(found) ? found.at(-1)! : { accountId: 0, id: '' }
      return found
    }
    const all: Target[] = []
    for (let page: Target[] | undefined; page === undefined || isFull(page); all.push(...page))
      page = await listBehind(db, all.at(-1) ?? { accountId: 0, id: '' }, targetsPerLook, accountIds)
    return all
  }

  /** The time until there may be something to send without a further commit; undefined if there is nothing. */
  #dueInMs(): number | undefined {
    if (this.#isPutOff) return this.#unusedUntil - performance.now()
    if (this.#after.accountId > 0) return 0
    const now = this.#ctx.now()
    const ends = [...this.#rests.values(), this.#nextRetryAt ?? Number.POSITIVE_INFINITY]
    for (const [id, end] of this.#rests) if (end <= now) this.#rests.delete(id)
    const next = Math.min(...ends)
    return next === Number.POSITIVE_INFINITY ? undefined : next - now
  }

  async #isUsed(): Promise<boolean> {
    if (this.#isKnownUsed) return true
    this.#isPutOff = performance.now() < this.#unusedUntil
    if (this.#isPutOff) return false
    this.#isKnownUsed = await hasWebhooks(this.#ctx.db)
    if (this.#isKnownUsed) return true
    this.#unusedUntil = performance.now() + looksPerLookForFirst * this.#lookMs
    return false
  }

  #holdsLease(): boolean {
    const leftMs = this.#heldUntil - this.#ctx.now()
    return leftMs > 0 && leftMs <= leaseMs
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

  /** Called with the lease held. Returns true if the targets have to be read again. */
  async #begin({ targets, isCurrent }: Work, lease: Lease): Promise<boolean> {
    this.#heldUntil = this.#ctx.now() + leaseMs / 2
    if (!isCurrent) return true
    this.#term ??= this.#newTerm(lease)
    const term = this.#term
    for (const target of targets) {
      if (this.#ending.signal.aborted || this.#lanes.has(target.id)) continue
      const lane = this.#runLane(target, term)
        .catch((error) => this.#fail(error, target))
        .finally(() => {
          this.#lanes.delete(target.id)
          this.#follower?.tell(target.accountId)
        })
      this.#lanes.set(target.id, lane)
      await breathe()
    }
    return false
  }

  #newTerm(lease: Lease): Term {
    const quit = new AbortController()
    const gatherMs = looksPerStore * this.#lookMs
    const recorder = createRecorder(this.#ctx, lease, gatherMs, quit.signal)
    const cut = new AbortController()
    return { recorder, cut, over: AbortSignal.any([this.#ending.signal, cut.signal]), quit }
  }

  /** Takes turns until the endpoint is up to date or must be paused. */
  async #runLane(first: Target, { recorder, cut, over }: Term): Promise<void> {
    const signals = { ending: this.#ending.signal, cut: cut.signal }
    const read = <T>(work: () => Promise<T>) => this.#reads.run(first.accountId, work, over)
    let target: Target | undefined = first
    while (target !== undefined && !over.aborted) {
      const current = target
      const job = {
        ctx: this.#ctx,
        poster: this.#poster,
        reader: this.#reader,
        store: recorder.store,
        read,
        ...signals,
      }
      const result = await sendDue(job, current, (send) => this.#slots.run(first.accountId, send, over))
      if (result.restsUntil !== undefined) this.#rests.set(first.id, result.restsUntil)
      if (result.isClean && !result.hasMore) return this.#leave(first, result)
      await result.stored
      if (!result.hasMore) return
      target = await read(() => findTarget(this.#ctx.db, first))
    }
  }

  /** Ends a lane whose results are still being stored. */
  #leave({ id, accountId }: Target, { cursors, stored }: SendResult): void {
    const forget = this.#sent.add(id, cursors)
    const end = stored
      .catch((error) => this.#fail(error, { id }))
      .finally(() => {
        forget()
        this.#stores.delete(end)
        this.#follower?.tell(accountId)
      })
    this.#stores.add(end)
  }

  #fail(error: unknown, { id }: Pick<Target, 'id'>): void {
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
    this.#isKnownUsed = false
    await sweepWebhooks(this.#ctx, lease)
  }

  /** Gives requests in flight a moment to finish, stores the results, then releases the lease. */
  async close(): Promise<void> {
    this.#ending.abort()
    await this.#lanesEnd()
    this.#term?.cut.abort()
    await this.#lanesEnd()
    this.#term?.quit.abort()
    await this.#settled()
    this.#poster.close()
    await this.#follower?.close()
  }

  async #settled(): Promise<void> {
    await Promise.all(this.#lanes.values())
    await Promise.all(this.#stores)
  }

  /** Resolves when all lanes have ended and their results are stored, or after a short wait. */
  async #lanesEnd(): Promise<void> {
    const stop = new AbortController()
    const moment = sleep(finishMs, undefined, { signal: stop.signal }).catch(() => {})
    await Promise.race([this.#settled(), moment])
    stop.abort()
  }
}

const earliest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

/** False if all that was behind has been sent and only waits to be stored. */
const hasWork = ({ retryAt, sources }: Target, now: number) =>
  (retryAt !== null && retryAt <= now) || sources.some(({ cursor, newest }) => cursor < newest)
