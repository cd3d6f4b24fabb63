import type { CompiledQuery } from 'kysely'
import type { Db } from './db.ts'

/** What an adapter can do whose database is in this process. */
export interface InProcess {
  /** The rows, at once; undefined where the statement has to wait for its turn. */
  runNow: (sql: string, parameters: readonly unknown[], inTransaction: boolean) => unknown[] | undefined
  /** Another text whenever anybody has written to the database; undefined when that cannot be told now. */
  writes: () => string | undefined
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
  const rows = inProcessOf(db.getExecutor().adapter)?.runNow(query.sql, parameters, db.isTransaction)
  return rows === undefined
    ? (await db.executeQuery<Output>({ ...query, parameters })).rows
    : (rows as Output[])
}
