import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'

/** What a transaction needs of its context: the database, and whom to tell after the commit. */
type Transacting = {
  db: Db
  dialect: Pick<Dialect, 'transaction'>
  changes: { announce: (scope: { accountId: number; spaceId: number }) => void }
}

const committedListeners = new WeakMap<Db, (() => void)[]>()

/**
 * In place of an account: work that no caller waits for and that is repeated if it gets lost. Its commit does not wait
 * for the disk, so a power cut can lose the last of it.
 */
export const inBackground = 'background'

/**
 * Runs `work` with a context whose database is one transaction: all of it happens or nothing, and announcements are
 * delivered after the commit. Inside another `transact` it joins the current transaction. Pass the account for every
 * write: accounts take turns; or {@link inBackground}.
 */
export async function transact<T, C extends Transacting>(
  ctx: C,
  ...given: [work: (ctx: C) => Promise<T>] | [account: string | number, work: (ctx: C) => Promise<T>]
): Promise<T> {
  const [work, account] = given.length === 1 ? given : [given[1], given[0]]
  if (ctx.db.isTransaction) return work(ctx)
  const announced: Parameters<C['changes']['announce']>[0][] = []
  const listeners: (() => void)[] = []
  const changes = {
    ...ctx.changes,
    announce: (scope: Parameters<C['changes']['announce']>[0]) => void announced.push(scope),
  }
  const run = (tx: Db) => {
    announced.length = 0
    listeners.length = 0
    // Work that is committed together shares a transaction, but runs sequentially.
    committedListeners.set(tx, listeners)
    return work({ ...ctx, db: tx, changes })
  }
  const result = await ctx.dialect.transaction(ctx.db, run, account)
  for (const listener of listeners) listener()
  for (const scope of announced) ctx.changes.announce(scope)
  return result
}

/** Calls `listener` when the current work on this transaction is committed, and never if it is not. */
export function afterCommit(tx: Db, listener: () => void): void {
  committedListeners.get(tx)?.push(listener)
}

const writtenListeners = new WeakMap<Db, (() => void)[]>()

/**
 * Calls `listener` when this transaction is committed on SQLite, before it is on the disk and {@link transact} returns;
 * never on PostgreSQL.
 */
export function onceWritten(tx: Db, listener: () => void): void {
  writtenListeners.set(tx, [...(writtenListeners.get(tx) ?? []), listener])
}

export function tellWritten(tx: Db): void {
  for (const listener of writtenListeners.get(tx) ?? []) listener()
}

/** Runs work on a transaction without what it wants to be called after the commit. */
export async function withoutListeners<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  const listeners = committedListeners.get(tx)
  const before = listeners?.length ?? 0
  const result = await work()
  listeners?.splice(before)
  return result
}

/** Runs work on a transaction; if it throws, what it wanted to be called after the commit is not. */
export async function dropListenersIfFailed<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  const listeners = committedListeners.get(tx)
  const before = listeners?.length ?? 0
  try {
    return await work()
  } catch (error) {
    listeners?.splice(before)
    throw error
  }
}

/** The work of a transaction or snapshot: its database, and whether it has ended. */
type Work = { adapter: object; hasEnded: boolean }

const current = new AsyncLocalStorage<Work>()

/**
 * Whether the caller is inside a transaction or snapshot of this database. Once the work has ended, false for
 * anything that it left running (timers, background loops).
 */
export function isInsideTransaction(adapter: object): boolean {
  const work = current.getStore()
  return work !== undefined && work.adapter === adapter && !work.hasEnded
}

/**
 * Refuses use of the database itself by code that runs inside one of its transactions or snapshots. On SQLite such
 * code would wait forever for the connection held by its own transaction; on PostgreSQL it would read and write
 * outside the transaction.
 */
export function guardTransactions(db: Db, dialect: Dialect): Dialect {
  guardConnections(db)
  return {
    ...dialect,
    // Refused here already, since a transaction can wait in a queue before it requests a connection.
    async transaction(of, work, account) {
      refuseInside(of)
      return dialect.transaction(of, (tx) => runInside(tx, () => work(tx)), account)
    },
    async snapshot(of, work) {
      refuseInside(of)
      return dialect.snapshot(of, (snapshot) => runInside(snapshot, () => work(snapshot)))
    },
  }
}

/** Transactions and snapshots have their own executors, so only queries on the database itself pass here. */
function guardConnections(db: Db): void {
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  const provideConnection: typeof provide = async (consumer, options) => {
    refuseInside(db)
    return provide(consumer, options)
  }
  Object.assign(executor, { provideConnection })
}

function runInside<T>(db: Db, run: () => Promise<T>): Promise<T> {
  const work = { adapter: db.getExecutor().adapter, hasEnded: false }
  return current.run(work, async () => {
    try {
      return await run()
    } finally {
      work.hasEnded = true
    }
  })
}

function refuseInside(db: Db): void {
  if (isInsideTransaction(db.getExecutor().adapter)) {
    throw new Error('Inside a transaction use its own context, not the outer one.')
  }
}
