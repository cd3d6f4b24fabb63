import type { CompiledQuery } from 'kysely'
import type { Db } from './db.ts'
import { isInsideTransaction } from './transact.ts'

/** Extra methods of an adapter whose database runs in this process. */
export interface InProcess {
  /** Whether these reads have a connection of their own. */
  isSnapshot: (db: Db) => boolean
  /** Returns the rows synchronously; undefined if the statement has to wait for its turn. */
  runNow: (db: Db, sql: string, parameters: readonly unknown[]) => unknown[] | undefined
  /** For a call that will read: what it reads in this callback of the event loop shares a transaction, `writes` too. */
  beginReads: () => void
  /**
   * Changes whenever anybody commits data that `db` sees, except for routine writes of this process
   * (`routine-writes.ts`); undefined in transactions and snapshots.
   */
  writes: (db: Db) => number | undefined
  /** Changes whenever another process has committed to the database. */
  writesOfOthers: () => number | undefined
  /** How many writing statements the open transaction and those before it have begun; undefined if none is open. */
  writesBegun: () => number | undefined
}

export function inProcessOf(adapter: object): InProcess | undefined {
  return isInProcess(adapter) ? adapter : undefined
}

const isInProcess = (adapter: object): adapter is InProcess => 'runNow' in adapter

/**
 * Runs a compiled query with these parameters. If possible it bypasses the query builder's queue and promises, which
 * take longer than SQLite needs for a row.
 */
export async function runCompiled<Output>(
  db: Db,
  query: CompiledQuery<Output>,
  parameters: readonly unknown[],
): Promise<Output[]> {
  const { adapter } = db.getExecutor()
  // Inside a transaction, a query on the database itself requests a connection, and is refused there.
  const inProcess = inProcessOf(adapter)
  const mayRunNow = db.isTransaction || inProcess?.isSnapshot(db) || !isInsideTransaction(adapter)
  const rows = mayRunNow ? inProcess?.runNow(db, query.sql, parameters) : undefined
  return rows === undefined
    ? (await db.executeQuery<Output>({ ...query, parameters })).rows
    : (rows as Output[])
}
