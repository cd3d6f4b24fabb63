import type { CompiledQuery } from 'kysely'
import type { Db } from './db.ts'
import { isInsideTransaction } from './transaction-guard.ts'

/** What an adapter can do whose database is in this process. */
export interface InProcess {
  /** The rows, at once; undefined where the statement has to wait for its turn. */
  runNow: (db: Db, sql: string, parameters: readonly unknown[]) => unknown[] | undefined
  /** Another number whenever anybody has committed what `db` sees; undefined in transactions and snapshots. */
  writes: (db: Db) => number | undefined
  /** Another number whenever another process has committed to the database. */
  writesOfOthers: () => number | undefined
  /** How many rows the transaction that is open, and those before it, have changed; undefined when none is open. */
  rowsChanged: () => number | undefined
}

export function inProcessOf(adapter: object): InProcess | undefined {
  return isInProcess(adapter) ? adapter : undefined
}

const isInProcess = (adapter: object): adapter is InProcess => 'runNow' in adapter

/**
 * Runs a compiled query with these parameters: where it can be, past the query builder's queue and promises, which
 * take longer than SQLite does for a row.
 */
export async function runCompiled<Output>(
  db: Db,
  query: CompiledQuery<Output>,
  parameters: readonly unknown[],
): Promise<Output[]> {
  const { adapter } = db.getExecutor()
  // Inside a transaction, whatever is not the transaction asks for a connection, where it is refused.
  const mayRunNow = db.isTransaction || !isInsideTransaction(adapter)
  const rows = mayRunNow ? inProcessOf(adapter)?.runNow(db, query.sql, parameters) : undefined
  return rows === undefined
    ? (await db.executeQuery<Output>({ ...query, parameters })).rows
    : (rows as Output[])
}
