import { ProposalEvent } from '@loci/contract/proposals'
import { secondMs } from '../../../ground/lib/time.ts'
import { deliveryFailed } from '../../../ground/telemetry/events.ts'
import type { Context } from '../../../tenancy/context.ts'
import { countWaitingDeliveries, listDue, type StoredDelivery } from '../deliveries.repo.ts'
import type { EventReader } from './event-reader.ts'
import { readBody, readNewsBody, testBodyOf, type WebhookEvent } from './events.ts'
import type { Posted, Poster, Series } from './post.ts'
import { afterAttempt, isEmpty, noResults, noteHealth, type Results } from './results.ts'
import { isUnwell, restMs } from './retries.rules.ts'
import type { Target, TargetSpace } from './targets.repo.ts'

/** After this time an endpoint yields to others. */
const turnMs = 2 * secondMs
/** Results are stored at the end of a turn, and at this interval during it. */
const storeMs = secondMs
const duePerTurn = 50
/** Bounds of the events that are posted as one series: a crash repeats them. */
const seriesMs = 500
const seriesEventsMax = 10
const seriesCharsMax = 64 * 1024
/** While this many deliveries wait for a retry, further changes wait in the log. */
export const waitingMax = 1_000

export type SendJob = {
  ctx: Context
  poster: Poster
  reader: EventReader
  store: (results: Results) => Promise<void>
  /** Limits reads of the database. */
  read: <T>(read: () => Promise<T>) => Promise<T>
  /** Once aborted, nothing new is started. */
  ending: AbortSignal
  /** Aborts the request in flight. */
  cut: AbortSignal
}

/** `restsUntil` is set if the endpoint should be paused. */
export type SendEnd = { hasMore: boolean; restsUntil?: number }

/** `isClean` if new events were delivered and nothing else happened. `stored` resolves when the results are stored. */
export type SendResult = SendEnd & {
  isClean: boolean
  /** Newest change dealt with, by space. */
  cursors: ReadonlyMap<number, number>
  stored: Promise<void>
}

/**
 * Sends an endpoint what is due, one after the other: first retries, then new events in order. `inPlace` runs the
 * sending; results are stored meanwhile and after it.
 */
export async function sendDue(
  job: SendJob,
  target: Target,
  inPlace: (send: () => Promise<SendEnd>) => Promise<SendEnd>,
): Promise<SendResult> {
  const turn = new Turn(job, target)
  try {
    const end = await inPlace(() => turn.run())
    return { ...end, ...turn.finish() }
  } catch (error) {
    await turn.finish().stored
    throw error
  }
}

/** Undefined if the next request can follow. */
type Outcome = SendEnd | undefined

const turnOver: SendEnd = { hasMore: true }
const nothingMore: SendEnd = { hasMore: false }

class Turn {
  readonly #job: SendJob
  readonly #target: Target
  readonly #begunAt = performance.now()
  #storedAt = this.#begunAt
  #results: Results
  #isClean = true
  readonly #cursors = new Map<number, number>()
  readonly #stores: Promise<void>[] = []
  #storeFailure: unknown
  #opened: string[] | undefined

  constructor(job: SendJob, target: Target) {
    this.#job = job
    this.#target = target
    this.#results = noResults(target)
  }

  async run(): Promise<SendEnd> {
    const { ctx } = this.#job
    const isDue = this.#target.retryAt !== null && this.#target.retryAt <= ctx.now()
    const readDue = () => listDue(ctx.db, this.#target, ctx.now(), duePerTurn)
    const due = isDue ? await this.#job.read(readDue) : []
    for (const delivery of due) {
      const end = await this.#sendAgain(delivery)
      if (end !== undefined) return end
      if (this.#isOver()) return turnOver
    }
    // Older events first.
    if (due.length === duePerTurn) return turnOver
    if (this.#target.status !== 'active' || !(await this.#hasRoom())) return nothingMore
    for (const source of this.#target.sources) {
      const end = this.#isBehind(source) ? await this.#sendNew(source) : undefined
      if (end !== undefined) return end
    }
    return nothingMore
  }

  /** Undefined if the space is done and there is time for the next one. */
  async #sendNew(source: TargetSpace): Promise<Outcome> {
    for (let after = source.cursor; ; ) {
      const page = await this.#job.reader.read(source, after, this.#target.events, this.#job.ending)
      for (let sent = 0; sent < page.events.length; ) {
        const series = startOf(page.events, sent)
        const posted = await this.#post(series)
        for (const [i, result] of posted.entries()) this.#noteNew(source, series[i]!, result)
        sent += posted.length
        const end = this.#endAfter(posted)
        if (end !== undefined) return end
        if (this.#isOver()) return turnOver
      }
      after = page.upTo
      if (after > source.cursor) this.#advance(source.spaceId, after)
      if (this.#isOver()) return turnOver
      if (page.isLast) return undefined
      // Failures count towards the limit of those that wait.
      if (!this.#isClean) return turnOver
    }
  }

  #noteNew({ spaceId }: TargetSpace, { id: eventId, seq, event }: WebhookEvent, posted: Posted): void {
    const kept = { attempts: [], answer: null, nextAttemptAt: null, createdAt: posted.at }
    const id = this.#job.ctx.newId('dlv')
    const delivery = { id, eventId, event, spaceId, seq, status: 'pending' as const, tries: 0, ...kept }
    this.#results.added.push(this.#afterAttempt(delivery, posted))
    this.#advance(spaceId, seq)
    if (posted.error !== undefined) this.#isClean = false
  }

  async #sendAgain(delivery: StoredDelivery): Promise<Outcome> {
    this.#isClean = false
    const { eventId: id, nextAttemptAt: dueAt } = delivery
    const body = await this.#bodyOf(delivery)
    if (body === undefined) {
      this.#results.tried.push({ delivery: { ...delivery, status: 'failed', nextAttemptAt: null }, dueAt })
      return undefined
    }
    const [posted] = await this.#post([{ id, body }])
    if (posted !== undefined)
      this.#results.tried.push({ delivery: this.#afterAttempt(delivery, posted), dueAt })
    return this.#endAfter(posted === undefined ? [] : [posted])
  }

  async #bodyOf({ spaceId, seq, event, createdAt: at }: StoredDelivery): Promise<string | undefined> {
    if (spaceId === null || seq === null) return testBodyOf(this.#target.id, at)
    const space = this.#target.sources.find((source) => source.spaceId === spaceId)
    const news = ProposalEvent.safeParse(event)
    if (news.success) {
      const of = { proposalId: seq, event: news.data, at }
      return space && this.#job.read(() => readNewsBody(this.#job.ctx.db, space, of))
    }
    return space && this.#job.read(() => readBody(this.#job.ctx.db, space, seq))
  }

  /** Returns the results of those that were sent. */
  async #post(events: Series['events']): Promise<Posted[]> {
    // Not before its turn has come: many endpoints begin their turns at once.
    this.#opened ??= openSecrets(this.#job.ctx, this.#target)
    const [secrets, at] = [this.#opened, this.#job.ctx.now()]
    if (secrets.length === 0) {
      const error = 'The signing secret cannot be read any more; roll it'
      return [{ at, statusCode: null, ms: 0, error, answer: null }]
    }
    return this.#job.poster.post(
      { url: this.#target.url, secrets, events, at, msMax: seriesMs },
      this.#job.cut,
    )
  }

  #afterAttempt(delivery: StoredDelivery, posted: Posted): StoredDelivery {
    noteHealth(this.#results, posted)
    const after = afterAttempt(delivery, posted, this.#job.ctx.now())
    if (posted.error !== undefined)
      deliveryFailed.publish({
        what: 'webhook',
        outcome: after.nextAttemptAt === null ? 'given_up' : 'retried',
      })
    return after
  }

  /** Whether the turn goes on after these results. */
  #endAfter(posted: readonly Posted[]): Outcome {
    if (performance.now() - this.#storedAt > storeMs) this.#store()
    if (this.#storeFailure !== undefined) throw this.#storeFailure
    this.#job.cut.throwIfAborted()
    if (this.#results.disable !== null) return nothingMore
    const last = posted.at(-1)!
    return isUnwell(last.statusCode)
      ? { hasMore: false, restsUntil: this.#job.ctx.now() + restMs }
      : undefined
  }

  #advance(spaceId: number, seq: number): void {
    this.#results.cursors.set(spaceId, seq)
    this.#cursors.set(spaceId, seq)
  }

  /** Stores what is left. */
  finish(): Pick<SendResult, 'isClean' | 'cursors' | 'stored'> {
    this.#store()
    const stored = Promise.all(this.#stores).then(() => {})
    return { isClean: this.#isClean, cursors: this.#cursors, stored }
  }

  /** Begins to store the results since the last call; a failure ends the turn. */
  #store(): void {
    if (isEmpty(this.#results)) return
    const results = this.#results
    const { failingSince, disable } = results
    this.#results = { ...noResults(this.#target), failingSince, disable }
    this.#storedAt = performance.now()
    const stored = this.#job.store(results)
    stored.catch((error) => {
      this.#storeFailure = error
    })
    this.#stores.push(stored)
  }

  #isBehind({ spaceId, cursor, newest }: TargetSpace): boolean {
    const { spaces } = this.#target
    return cursor < newest && (spaces === null || spaces.includes(spaceId))
  }

  async #hasRoom(): Promise<boolean> {
    if (this.#target.retryAt === null) return true
    const count = () => countWaitingDeliveries(this.#job.ctx.db, this.#target, waitingMax)
    return (await this.#job.read(count)) < waitingMax
  }

  #isOver = () => this.#job.ending.aborted || performance.now() - this.#begunAt > turnMs
}

/** The events from `start` on that are posted as one series: at least one. */
function startOf(events: readonly WebhookEvent[], start: number): WebhookEvent[] {
  const series: WebhookEvent[] = []
  let chars = 0
  for (let i = start; i < events.length && series.length < seriesEventsMax; i++) {
    chars += events[i]!.body.length
    if (i > start && chars > seriesCharsMax) break
    series.push(events[i]!)
  }
  return series
}

/** The current secret, and for a day the previous one. */
function openSecrets({ secretBox, now }: Context, target: Target): string[] {
  const isOldGood = target.oldSecretUntil !== null && target.oldSecretUntil > now()
  const sealed = isOldGood ? [target.secret, target.oldSecret] : [target.secret]
  return sealed.flatMap((text) => (text === null ? [] : (secretBox.open(text) ?? [])))
}
