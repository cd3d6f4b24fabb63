import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteStatement } from 'kysely'

type Row = ReturnType<StatementSync['all']>[number]

/**
 * A `node:sqlite` statement in the shape that Kysely's driver expects. `onRun` is called before each run and can
 * refuse it; `onError` gets SQLite's errors. Rows are read as arrays and converted to objects here: those that
 * `node:sqlite` creates are slow to create and to read.
 */
export function toKyselyStatement(
  statement: StatementSync,
  onRun: () => void,
  onError: (error: unknown) => void,
): SqliteStatement {
  const columnNames = () => statement.columns().map(({ name }) => name)
  let names = columnNames()
  let rowsRead = 0
  let makeRow: RowMaker | undefined
  statement.setReturnArrays(true)
  // Statements without rows return the last rowid; FTS5 uses rowids beyond 2^53 internally, which no JavaScript
  // number can hold.
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
    // Another process may have added a column to the table.
    if (cells.length !== names.length) {
      names = columnNames()
      makeRow = undefined
    }
    if (makeRow !== undefined) return makeRow(cells)
    if (++rowsRead > rowsBeforeMaker) makeRow = toRowMaker(names)
    const row: Row = {}
    for (let i = 0; i < names.length; i++) row[names[i]!] = cells[i]!
    return row
  }
}

type RowMaker = (cells: Row) => Row

/** Making the code takes as long as creating this many rows without it. */
const rowsBeforeMaker = 100

/** Code for the rows of one statement: assigning names that are only known at run time takes ten times as long. */
function toRowMaker(names: readonly string[]): RowMaker {
  const fields = names.map((name, place) => `${JSON.stringify(name)}: cells[${place}]`)
  return new Function('cells', `return { ${fields} }`) as RowMaker
}
