import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { lockAccount } from '../auth/accounts.repo.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { PostedRow } from '../db/postings.ts'
import { AppError } from '../errors/app-error.ts'
import { createLease, type Lease } from '../leases/lease.ts'
import { hourMs, minuteMs, secondMs } from '../lib/time.ts'
import type { Scope } from '../scope.ts'

const leaseMs = 10 * minuteMs
const restMs = hourMs
const retryMinMs = 10 * secondMs

type Folding = Pick<Context, 'db' | 'dialect'>

/**
 * Compacts the postings of single writes in all spaces, in short transactions between which others can
 * write. `goOn` is called before each of them. A space that fails does not stop the others; the first
 * error is thrown at the end.
 */
export async function foldPostings(
  { db, dialect }: Folding,
  goOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  const errors: unknown[] = []
  for (let after: Scope = { accountId: 0, spaceId: 0 }; ; ) {
    const space: Scope | undefined = await dialect.postings.findUnfolded(db, after)
    if (space === undefined) break
    const isDone = await foldSpace({ db, dialect }, space, goOn).catch((error) => errors.push(error) > 0)
    if (!isDone) return
    after = space
  }
  if (errors.length > 0) throw errors[0]
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
    // Writers remove and add postings under the same lock.
    await lockAccount(tx, space.accountId)
    return dialect.postings.fold(tx, space, after)
  }
  return dialect.transaction(db, work, space.accountId).catch((error) => {
    // Postings of an account being deleted are removed with it.
    if (error instanceof AppError && error.code === 'not_authenticated') return undefined
    throw error
  })
}

/**
 * Folds once an hour, in one process at a time; after a failure it retries in 10 seconds, doubling the
 * delay each time.
 */
export class PostingFolder {
  readonly #ctx: Context
  readonly #lease: Lease
  readonly #retryMinMs: number
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(ctx: Context, options: { retryMinMs?: number } = {}) {
    this.#ctx = ctx
    this.#lease = createLease(ctx, 'postings', leaseMs)
    this.#retryMinMs = options.retryMinMs ?? retryMinMs
  }

  start(): void {
    this.#running = this.#run()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    for (let failures = 0; !signal.aborted; ) {
      failures = await this.#fold().then(
        () => 0,
        (error) => this.#fail(error, failures + 1),
      )
      const waitMs = failures === 0 ? restMs : this.#retryDelayMs(failures)
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #fold(): Promise<void> {
    await foldPostings(this.#ctx, async () => !this.#stop.signal.aborted && this.#lease.hold())
    await this.#lease.release()
  }

  #fail(error: unknown, failures: number): number {
    const retryInMs = this.#retryDelayMs(failures)
    this.#ctx.log.error({ err: error, retryInMs }, 'postings could not be folded')
    return failures
  }

  #retryDelayMs(failures: number): number {
    return Math.min(restMs, this.#retryMinMs * 2 ** Math.min(failures - 1, 20))
  }

  /** Waits for the current round, which ends after its current slice. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}
