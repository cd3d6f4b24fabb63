import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteStatement } from 'kysely'

type Row = ReturnType<StatementSync['all']>[number]

/**
 * A statement of `node:sqlite` in the shape that Kysely's driver takes; `onRun` is called before each run and may
 * refuse it, `onError` with what SQLite throws. Rows come as arrays and become objects here: those that `node:sqlite`
 * makes are slow to make, and to read.
 */
export function toKyselyStatement(
  statement: StatementSync,
  onRun: () => void,
  onError: (error: unknown) => void,
): SqliteStatement {
  const columnNames = () => statement.columns().map(({ name }) => name)
  let names = columnNames()
  statement.setReturnArrays(true)
  // What returns no rows tells the last rowid; FTS5 gives its own rows some beyond 2^53, which no number holds.
  if (names.length === 0) statement.setReadBigInts(true)
  return {
    reader: names.length > 0,
    all: (parameters) => guarded(() => statement.all(...values(parameters)).map(toObject)),
    run: (parameters) => guarded(() => statement.run(...values(parameters))),
    *iterate(parameters) {
      for (const row of statement.iterate(...values(parameters))) yield toObject(row)
    },
  }

  function guarded<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      onError(error)
      throw error
    }
  }

  function values(parameters: readonly unknown[]): SQLInputValue[] {
    onRun()
    return parameters as SQLInputValue[]
  }

  function toObject(cells: Row): Row {
    // Another process may have given a table one more column.
    if (cells.length !== names.length) names = columnNames()
    const row: Row = {}
    for (let i = 0; i < names.length; i++) row[names[i]!] = cells[i]!
    return row
  }
}
