import type { Operation } from '@loci/contract/endpoint'
import type { Logger } from 'pino'
import type { Config } from '../../ground/config/config.ts'
import { dayMs, dayOf, monthNameOf, secondMs } from '../../ground/lib/time.ts'
import { createTokenBuckets, type TokenBuckets } from '../../ground/lib/token-buckets.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { afterCommit } from '../../store/transact.ts'
import type { Actor } from '../auth/actor.ts'
import type { ChangeBus } from '../change-bus.ts'
import type { Scope } from '../scope.ts'
import { addCallCount, addCreated, type CallCounts } from './call-counts.ts'
import type { Created } from './created.repo.ts'
import { isLimited, operationsLimitReached, operationsMaxOf } from './plan-in-force.ts'
import type { Recall } from './recalls.repo.ts'
import {
  announceRecalls,
  type KeptRecall,
  nothingUnstored,
  recallsMax,
  storeTallies,
  takeBack,
} from './store-call-counts.ts'
import { addOperation, getMonthCount, type MonthCount } from './usage.repo.ts'

const flushEveryMs = secondMs
/** Operations counted by other processes are read again after this time. */
const knownForMs = 10 * secondMs

/** Reads of hooks that an account may make uncounted, so that marking every read as one gains little. */
const checksPerDay = 100

/** The account, key and client that a call is counted for. */
type Payer = { accountId: number; keyId?: string | undefined; client?: string | undefined } & Partial<
  Pick<Actor, 'spaceId' | 'kind' | 'userId' | 'connectionId' | 'tool'>
>

/** A running operation: it counts towards the month once, with its write or when it ends. */
export type RunningOperation = {
  /**
   * Counts it in the transaction of a write, so a crash cannot separate the two. `inner` identifies the transaction:
   * several writes in one transaction count once. Throws `operations_limit_reached`.
   */
  countIn: (inner: { db: Db }, plan: string) => Promise<void>
  /** Number of the newest change set that the call committed. */
  setSeq?: number
  /** Adds it to the statistics, with its duration (milliseconds), unless it was refused because rights are missing. */
  end: (responseMs: number, isRefused?: boolean) => void
}

/** Operations of an account in a month: those stored by all processes, and those of this process not yet stored. */
type MonthUse = { stored: number | undefined; readAt: number; unstored: number; running: number }

export type MeterSource = {
  config: Config
  db: Db
  dialect: Dialect
  now: () => number
  log: Logger
  changes: ChangeBus
}

/**
 * Counts operations. Writes count towards the month in their own transaction; the rest (reads and the statistics) is
 * collected in memory and stored about once a second. Close it before the database.
 */
export class UsageMeter {
  readonly #source: MeterSource
  /** By month and account. */
  readonly #months = new Map<string, Map<number, MonthUse>>()
  #unstored = nothingUnstored()
  #flushing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  readonly #checks: TokenBuckets<number>
  /** The current day and month as text, which every call needs. */
  #today = { number: Number.NaN, day: '', month: '' }

  constructor(source: MeterSource) {
    this.#source = source
    const rate = { perSecond: (checksPerDay * secondMs) / dayMs, burst: checksPerDay }
    this.#checks = createTokenBuckets(rate, source.now)
  }

  /** Uses one of the account's uncounted reads of hooks; false if there is none left. Each process counts separately. */
  takeCheck(accountId: number): boolean {
    return this.#checks.take(accountId, 1) === 0
  }

  /** Whether the account has done fewer than `limit` operations this month, as far as {@link learn} knows. */
  hasRoom(accountId: number, limit: number): boolean {
    const { stored = 0, unstored, running } = this.#useNow(accountId)
    return stored + unstored + running < limit
  }

  /** Starts counting an operation. */
  begin(payer: Payer, operation: Operation): RunningOperation {
    const use = this.#useNow(payer.accountId)
    use.running++
    let isRunning = true
    const stop = () => {
      if (isRunning) use.running--
      isRunning = false
    }
    let isCounted = false
    let isRefused = false
    let countedIn: object | undefined
    return {
      countIn: async (inner, plan) => {
        if (isCounted || countedIn === inner) return
        countedIn = inner
        isRefused = !(await this.#countIn(inner.db, payer, isLimited(operation) ? plan : undefined))
        if (isRefused) throw operationsLimitReached(this.#source.config, this.#source.now(), plan)
        afterCommit(inner.db, () => {
          isCounted = true
          stop()
        })
      },
      end: (responseMs, isDenied = false) => {
        stop()
        this.#noteDoorCall(payer, operation, isDenied)
        if (!isRefused && !isDenied) this.#count(payer, operation, { responseMs, isCounted })
        // Work that continues after the response belongs to the same call.
        isCounted = true
      },
    }
  }

  /** With a `plan`, returns false if the operation exceeds its limit. */
  async #countIn(tx: Db, { accountId }: Payer, plan: string | undefined): Promise<boolean> {
    const { now } = this.#source
    const { month } = this.#dateOf(now())
    const stored = await addOperation(tx, accountId, month)
    const use = this.#monthUse(accountId, month)
    if (plan !== undefined && stored + use.unstored > operationsMaxOf(plan)) return false
    afterCommit(tx, () => Object.assign(use, { stored, readAt: now() }))
    return true
  }

  /** Makes sure that the account's stored count is known. Rarely queries the database. */
  async learn(accountId: number): Promise<void> {
    const now = this.#source.now()
    const { month } = this.#dateOf(now)
    const use = this.#monthUse(accountId, month)
    const { stored, readAt } = use
    if (stored !== undefined && Math.abs(now - readAt) <= knownForMs) return
    const read = await getMonthCount(this.#source.db, accountId, month)
    // A flush that finished meanwhile has newer data.
    if (use.stored === stored) Object.assign(use, { stored: read, readAt: now })
  }

  /** Keeps a recall of a space, if it is one, and counts the facts that were told, by their ids. */
  keepRecall({ accountId, spaceId }: Scope, recall: Recall | undefined, told: readonly string[]): void {
    const { recalls } = this.#unstored
    if (recalls.length < recallsMax) recalls.push({ scope: { accountId, spaceId }, recall, told })
    this.#flushSoon()
  }

  /** Adds what a committed write has created to the statistics of its day. */
  noteCreated(created: Created): void {
    addCreated(this.#unstored.created, created)
    this.#flushSoon()
  }

  /** Drops recalls of a space that are not stored yet. */
  forgetRecalls({ accountId, spaceId }: Scope, isForgotten: (recall: Recall) => boolean): void {
    this.#unstored.recalls = this.#unstored.recalls.filter(
      ({ scope, recall }) =>
        recall === undefined ||
        scope.accountId !== accountId ||
        scope.spaceId !== spaceId ||
        !isForgotten(recall),
    )
  }

  /** Stores the counts so far. Throws if the database does; the counts are kept for the next attempt. */
  flush(): Promise<void> {
    const flushed = this.#flushing.then(() => this.#store())
    this.#flushing = flushed.catch(() => {})
    return flushed
  }

  /** Stores the remaining counts. */
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

  #useNow(accountId: number): MonthUse {
    return this.#monthUse(accountId, this.#dateOf(this.#source.now()).month)
  }

  #monthUse(accountId: number, month: string): MonthUse {
    const accounts = this.#months.get(month) ?? new Map<number, MonthUse>()
    const known = accounts.get(accountId)
    if (known !== undefined) return known
    const use = { stored: undefined, readAt: 0, unstored: 0, running: 0 }
    this.#months.set(month, accounts.set(accountId, use))
    return use
  }

  #count(
    { accountId, keyId, client }: Payer,
    { type, resource }: Operation,
    { responseMs, isCounted }: { responseMs: number; isCounted: boolean },
  ): void {
    const uncounted = isCounted ? 0 : 1
    const lastUsedAt = this.#source.now()
    const { day, month } = this.#dateOf(lastUsedAt)
    const responseUs = Math.round(responseMs * 1_000)
    this.#monthUse(accountId, month).unstored += uncounted
    addCallCount(this.#unstored.tallies, {
      accountId,
      keyId,
      client,
      day,
      operation: type,
      resource,
      requests: 1,
      uncounted,
      responseUs,
      lastUsedAt,
    })
    this.#flushSoon()
  }

  /** Remembers the newest call of a program in a space. */
  #noteDoorCall(
    { accountId, spaceId, kind, keyId, connectionId, userId, tool }: Payer,
    { type, resource }: Operation,
    isRefused: boolean,
  ): void {
    const credential = keyId ?? connectionId ?? (kind === 'personal_key' ? userId : undefined)
    if (credential === undefined || spaceId === undefined) return
    const call = { what: tool ?? `${type} ${resource}`, isRefused, at: this.#source.now() }
    this.#unstored.doorCalls.set(`${accountId} ${spaceId} ${credential}`, {
      accountId,
      spaceId,
      credential,
      ...call,
    })
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
      // Who has filled the disk is told so by what they wanted to store.
      const { dialect, log } = this.#source
      if (!dialect.isFull(error)) log.warn({ err: error }, 'usage could not be stored; trying again')
      this.#flushSoon()
    }
  }

  async #store(): Promise<void> {
    const unstored = this.#unstored
    if (Object.values(unstored).every((part) => ('size' in part ? part.size : part.length) === 0)) return
    this.#unstored = nothingUnstored()
    try {
      const totals = await storeTallies(this.#source, unstored)
      this.#settle(unstored.tallies, totals)
      await this.#announce(unstored.recalls)
    } catch (error) {
      takeBack(this.#unstored, unstored)
      throw error
    }
  }

  /** Open screens that miss this show the recalls when they are opened again. */
  async #announce(recalls: readonly KeptRecall[]): Promise<void> {
    await announceRecalls(this.#source, recalls).catch((error) =>
      this.#source.log.warn({ err: error }, 'Recalls could not be announced'),
    )
  }

  /** Applies the new totals, and forgets inactive accounts. */
  #settle(batch: CallCounts, totals: MonthCount[]): void {
    const readAt = this.#source.now()
    for (const { accountId, day, uncounted } of batch.values()) {
      this.#monthUse(accountId, day.slice(0, 7)).unstored -= uncounted
    }
    for (const { accountId, month, operations } of totals) {
      Object.assign(this.#monthUse(accountId, month), { stored: operations, readAt })
    }
    for (const [month, accounts] of this.#months) {
      for (const [accountId, use] of accounts) {
        const busy = use.unstored > 0 || use.running > 0 || Math.abs(readAt - use.readAt) <= knownForMs
        if (!busy) accounts.delete(accountId)
      }
      if (accounts.size === 0) this.#months.delete(month)
    }
  }
}
