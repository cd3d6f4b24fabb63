import type { Context } from '../../../context.ts'
import { secondMs } from '../../../lib/time.ts'
import { version } from '../../../version.ts'
import { countWaitingDeliveries, listDue, type StoredDelivery } from '../deliveries.repo.ts'
import type { EventReader } from './event-reader.ts'
import { eventIdOf, readBody, testBodyOf } from './events.ts'
import type { Posted, Poster } from './post.ts'
import { afterAttempt, isEmpty, noResults, noteHealth, type Results } from './results.ts'
import { isUnwell, restMs } from './retries.rules.ts'
import { signaturesOf } from './sign.ts'
import type { Target, TargetSpace } from './targets.repo.ts'

/** After this time an endpoint yields to others. */
const turnMs = 5 * secondMs
/** Results are stored at the end of a turn, and at this interval during it. */
const storeMs = secondMs
const duePerTurn = 50
/** While this many deliveries wait for a retry, further changes wait in the log. */
export const waitingMax = 1_000

export type TurnJob = {
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
export type TurnEnd = { hasMore: boolean; restsUntil?: number }

/** `isClean` if new events were delivered and nothing else happened. `stored` resolves when the results are stored. */
export type TurnResult = TurnEnd & {
  isClean: boolean
  /** Newest change dealt with, by space. */
  cursors: ReadonlyMap<number, number>
  stored: Promise<void>
}

/**
 * Sends an endpoint what is due, one after the other: first retries, then new events in order. `inPlace` runs the
 * sending; results are stored meanwhile and after it.
 */
export async function takeTurn(
  job: TurnJob,
  target: Target,
  inPlace: (send: () => Promise<TurnEnd>) => Promise<TurnEnd>,
): Promise<TurnResult> {
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
type Outcome = TurnEnd | undefined

const turnOver: TurnEnd = { hasMore: true }
const nothingMore: TurnEnd = { hasMore: false }

class Turn {
  readonly #job: TurnJob
  readonly #target: Target
  readonly #secrets: string[]
  readonly #begunAt = performance.now()
  #storedAt = this.#begunAt
  #results: Results
  #isClean = true
  readonly #cursors = new Map<number, number>()
  readonly #stores: Promise<void>[] = []
  #storeFailure: unknown

  constructor(job: TurnJob, target: Target) {
    this.#job = job
    this.#target = target
    this.#secrets = openSecrets(job.ctx, target)
    this.#results = noResults(target)
  }

  async run(): Promise<TurnEnd> {
    const { ctx } = this.#job
    const isDue = this.#target.retryAt !== null && this.#target.retryAt <= ctx.now()
    const readDue = () => listDue(ctx.db, this.#target, ctx.now(), duePerTurn)
    const due = isDue ? await this.#job.read(readDue) : []
    for (const delivery of due) {
      const end = await this.#sendAgain(delivery)
      if (end !== undefined) return end
      if (this.#isOver()) return turnOver
    }
    if (this.#target.status !== 'active' || !(await this.#hasRoom())) return nothingMore
    for (const source of this.#target.sources) {
      const end = this.#isBehind(source) ? await this.#sendNew(source) : undefined
      if (end !== undefined) return end
    }
    return due.length === duePerTurn ? turnOver : nothingMore
  }

  /** Undefined if the space is done and there is time for the next one. */
  async #sendNew(source: TargetSpace): Promise<TurnEnd | undefined> {
    const page = await this.#job.reader.read(source, source.cursor, this.#target.events, this.#job.ending)
    for (const { seq, event, body } of page.events) {
      const end = await this.#send(this.#newDelivery(source, seq, event), body, 'added')
      if (end !== undefined) return end
      if (this.#isOver()) return turnOver
    }
    if (page.upTo > source.cursor) this.#advance(source.spaceId, page.upTo)
    return page.isLast && !this.#isOver() ? undefined : turnOver
  }

  #newDelivery({ spaceId }: TargetSpace, seq: number, event: string): StoredDelivery {
    const { newId, now } = this.#job.ctx
    const eventId = eventIdOf(this.#target.account, spaceId, seq)
    const kept = { attempts: [], answer: null, nextAttemptAt: null, createdAt: now() }
    return { id: newId('dlv'), eventId, event, spaceId, seq, status: 'pending', tries: 0, ...kept }
  }

  async #sendAgain(delivery: StoredDelivery): Promise<Outcome> {
    const body = await this.#bodyOf(delivery)
    if (body !== undefined) return this.#send(delivery, body, 'tried')
    this.#isClean = false
    this.#noteRetried(delivery, { ...delivery, status: 'failed', nextAttemptAt: null })
    return undefined
  }

  async #bodyOf({ spaceId, seq, createdAt }: StoredDelivery): Promise<string | undefined> {
    if (spaceId === null || seq === null) return testBodyOf(this.#target.id, createdAt)
    const space = this.#target.sources.find((source) => source.spaceId === spaceId)
    return space && this.#job.read(() => readBody(this.#job.ctx.db, space, seq))
  }

  async #send(delivery: StoredDelivery, body: string, kind: 'added' | 'tried'): Promise<Outcome> {
    const { now } = this.#job.ctx
    const at = now()
    const posted = await this.#post(delivery.eventId, body, at)
    const endedAt = now()
    const after = afterAttempt(delivery, { at, endedAt }, posted)
    if (kind === 'added') {
      this.#results.added.push(after)
      this.#advance(delivery.spaceId!, delivery.seq!)
    } else this.#noteRetried(delivery, after)
    if (kind === 'tried' || posted.error !== undefined) this.#isClean = false
    noteHealth(this.#results, at, posted)
    if (performance.now() - this.#storedAt > storeMs) this.#store()
    if (this.#storeFailure !== undefined) throw this.#storeFailure
    if (this.#results.disable !== null) return nothingMore
    return isUnwell(posted.statusCode) ? { hasMore: false, restsUntil: endedAt + restMs } : undefined
  }

  #noteRetried({ nextAttemptAt: dueAt }: StoredDelivery, delivery: StoredDelivery): void {
    this.#results.tried.push({ delivery, dueAt })
  }

  async #post(eventId: string, body: string, at: number): Promise<Posted> {
    if (this.#secrets.length === 0) {
      const error = 'The signing secret cannot be read any more; roll it'
      return { statusCode: null, ms: 0, error, answer: null }
    }
    const timestamp = Math.floor(at / secondMs)
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': `Loci/${version}`,
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf(this.#secrets, { id: eventId, timestamp, body }),
    }
    return this.#job.poster.post({ url: this.#target.url, headers, body, signal: this.#job.cut })
  }

  #advance(spaceId: number, seq: number): void {
    this.#results.cursors.set(spaceId, seq)
    this.#cursors.set(spaceId, seq)
  }

  /** Stores what is left. */
  finish(): Pick<TurnResult, 'isClean' | 'cursors' | 'stored'> {
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

/** The current secret, and for a day the previous one. */
function openSecrets({ secretBox, now }: Context, target: Target): string[] {
  const isOldGood = target.oldSecretUntil !== null && target.oldSecretUntil > now()
  const sealed = isOldGood ? [target.secret, target.oldSecret] : [target.secret]
  return sealed.flatMap((text) => (text === null ? [] : (secretBox.open(text) ?? [])))
}
