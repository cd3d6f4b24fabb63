import { setImmediate as nextTurn } from 'node:timers/promises'
import { lockAccount } from '../auth/accounts.repo.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { PostedRow } from '../db/postings.ts'
import { AppError } from '../errors/app-error.ts'
import { createLease } from '../leases/lease.ts'
import { hourMs, minuteMs } from '../lib/time.ts'
import type { Scope } from '../scope.ts'

const spacesPerPage = 100
const leaseMs = 10 * minuteMs

type Folding = Pick<Context, 'db' | 'dialect'>

/**
 * Brings what single writes posted, in all spaces, into the shape that takes least room, in short transactions between
 * which others write. `goOn` is asked before each of them.
 */
export async function foldPostings(
  { db, dialect }: Folding,
  goOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (let after: Scope | undefined = { accountId: 0, spaceId: 0 }; after !== undefined; ) {
    const spaces: Scope[] = await dialect.postings.listUnfolded(db, after, spacesPerPage)
    for (const space of spaces) if (!(await foldSpace({ db, dialect }, space, goOn))) return
    after = spaces.at(-1)
  }
}

async function foldSpace(folding: Folding, space: Scope, goOn: () => Promise<boolean>): Promise<boolean> {
  let after: PostedRow | undefined
  do {
    if (!(await goOn())) return false
    after = await foldSlice(folding, space, after)
    await nextTurn()
  } while (after !== undefined)
  return true
}

async function foldSlice({ db, dialect }: Folding, space: Scope, after: PostedRow | undefined) {
  const work = async (tx: Db) => {
    // Writers take postings away and add them under the same lock.
    await lockAccount(tx, dialect, space.accountId)
    return dialect.postings.fold(tx, space, after)
  }
  return dialect.transaction(db, work, space.accountId).catch((error) => {
    // What is left of an account that is being deleted goes with it.
    if (error instanceof AppError && error.code === 'not_authenticated') return undefined
    throw error
  })
}

/** Folds once an hour, in one process at a time. */
export class PostingFolder {
  readonly #ctx: Context
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#round = this.#run()
    }, hourMs).unref()
    this.#round = this.#run()
  }

  async #run(): Promise<void> {
    const lease = createLease(this.#ctx, 'postings', leaseMs)
    try {
      await foldPostings(this.#ctx, async () => !this.#isClosed && lease.hold())
      await lease.release()
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'postings could not be folded; trying again in an hour')
    }
  }

  /** Waits for the round under way, which ends after the slice that it is at. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#round
  }
}
