import type { OperationType } from '@loci/contract/analytics'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { dayMs, dayOf, monthNameOf, secondMs } from '../lib/time.ts'
import { storeTallies } from './store-tallies.ts'
import { addTally, type Tallies } from './tallies.ts'
import { getMonthCount, type MonthCount } from './usage.repo.ts'

const flushEveryMs = secondMs
/** What an account did through other processes is looked up anew after this time. */
const knownForMs = 10 * secondMs

/** What a call counts as: `resource` is the kind of thing it was about. */
export type Operation = { type: OperationType; resource: string }

/** Whom a call counts for. */
export type Caller = { accountId: string; keyId?: string | undefined }

/** Operations of an account in a month: those stored, by all processes, and those of this process that are not yet. */
type MonthUse = { stored: number | undefined; readAt: number; unstored: number; running: number }

export type MeterSource = { db: Db; dialect: Dialect; now: () => number; log: Logger }

/**
 * Counts operations in memory and adds them to the tables about once a second, so that a request pays for no write.
 * Close it before the database.
 */
export class UsageMeter {
  readonly #source: MeterSource
  readonly #months = new Map<string, MonthUse>()
  #tallies: Tallies = new Map()
  #flushing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  /** Texts of the day, which every call needs and few calls change. */
  #today = { number: Number.NaN, day: '', month: '' }

  constructor(source: MeterSource) {
    this.#source = source
  }

  /**
   * Counts an operation as under way and gives what to call with its time (milliseconds) when it has ended. Undefined
   * when the account has done `limit` operations this month; {@link learn} tells what other processes counted.
   */
  begin(
    caller: Caller,
    operation: Operation,
    limit = Number.POSITIVE_INFINITY,
  ): ((responseMs: number) => void) | undefined {
    const use = this.#monthUse(caller.accountId, this.#dateOf(this.#source.now()).month)
    if ((use.stored ?? 0) + use.unstored + use.running >= limit) return undefined
    use.running++
    return (responseMs) => {
      use.running--
      this.#count(caller, operation, responseMs)
    }
  }

  /** Makes sure that what all processes stored for the account is known. Seldom asks the database. */
  async learn(accountId: string): Promise<void> {
    const now = this.#source.now()
    const { month } = this.#dateOf(now)
    const use = this.#monthUse(accountId, month)
    const { stored, readAt } = use
    if (stored !== undefined && Math.abs(now - readAt) <= knownForMs) return
    const read = await getMonthCount(this.#source.db, accountId, month)
    // A flush that ended in the meantime knows better.
    if (use.stored === stored) Object.assign(use, { stored: read, readAt: now })
  }

  /** Stores what was counted so far. Throws when the database does; the counts are kept for the next time. */
  flush(): Promise<void> {
    const flushed = this.#flushing.then(() => this.#store())
    this.#flushing = flushed.catch(() => {})
    return flushed
  }

  /** Stores what is left. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#flushOrWarn()
    clearTimeout(this.#timer)
  }

  #dateOf(now: number): { day: string; month: string } {
    const number = Math.floor(now / dayMs)
    if (number !== this.#today.number) this.#today = { number, day: dayOf(now), month: monthNameOf(now) }
    return this.#today
  }

  #monthUse(accountId: string, month: string): MonthUse {
    const key = `${accountId} ${month}`
    const known = this.#months.get(key)
    if (known !== undefined) return known
    const use = { stored: undefined, readAt: 0, unstored: 0, running: 0 }
    this.#months.set(key, use)
    return use
  }

  #count({ accountId, keyId }: Caller, { type, resource }: Operation, responseMs: number): void {
    const lastUsedAt = this.#source.now()
    const { day, month } = this.#dateOf(lastUsedAt)
    const responseUs = Math.round(responseMs * 1_000)
    this.#monthUse(accountId, month).unstored++
    addTally(this.#tallies, {
      accountId,
      keyId,
      day,
      operation: type,
      resource,
      requests: 1,
      responseUs,
      lastUsedAt,
    })
    this.#flushSoon()
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#flushOrWarn()
    }, flushEveryMs).unref()
  }

  async #flushOrWarn(): Promise<void> {
    try {
      await this.flush()
    } catch (error) {
      this.#source.log.warn({ err: error }, 'usage could not be stored; trying again')
      this.#flushSoon()
    }
  }

  async #store(): Promise<void> {
    const batch = this.#tallies
    if (batch.size === 0) return
    this.#tallies = new Map()
    try {
      const totals = await storeTallies(this.#source, [...batch.values()])
      this.#settle(batch, totals)
    } catch (error) {
      for (const tally of batch.values()) addTally(this.#tallies, tally)
      throw error
    }
  }

  /** Takes the new totals, and forgets accounts that have been quiet. */
  #settle(batch: Tallies, totals: MonthCount[]): void {
    const readAt = this.#source.now()
    for (const { accountId, day, requests } of batch.values()) {
      this.#monthUse(accountId, day.slice(0, 7)).unstored -= requests
    }
    for (const { accountId, month, operations } of totals) {
      Object.assign(this.#monthUse(accountId, month), { stored: operations, readAt })
    }
    for (const [key, use] of this.#months) {
      const busy = use.unstored > 0 || use.running > 0 || Math.abs(readAt - use.readAt) <= knownForMs
      if (!busy) this.#months.delete(key)
    }
  }
}
