import { CompiledQuery } from 'kysely'
import { breathe } from '../ground/lib/pace.ts'
import type { Db, PlainRow } from './db.ts'
import { runCompiled } from './run-compiled.ts'

/**
 * Few sizes, so that prepared statements are reused. No large ones: SQLite copies each page that a multi-row
 * statement changes, to be able to undo it. Below eight rows that costs more than it saves.
 */
const rowsPerInsert = [8, 2, 1]

/** Inserts many rows, which all have the same columns. */
export async function sqliteInsertRows(db: Db, table: string, rows: readonly PlainRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  let start = 0
  for (const size of rowsPerInsert) {
    if (start + size > rows.length) continue
    const statement = insertStatement(table, columns, size)
    for (; start + size <= rows.length; start += size) {
      const parameters: PlainRow[string][] = []
      for (let i = start; i < start + size; i += 1) {
        for (const column of columns) parameters.push(rows[i]![column] ?? null)
      }
      await breathe()
      await runCompiled(db, statement, parameters)
    }
  }
}

const statements = new Map<string, CompiledQuery>()

/** One per table and size. */
function insertStatement(table: string, columns: readonly string[], rows: number): CompiledQuery {
  const key = `${table} ${rows} ${columns}`
  const known = statements.get(key)
  if (known !== undefined) return known
  const placeholders = `(${columns.map(() => '?').join(', ')})`
  const values = Array(rows).fill(placeholders).join(', ')
  const statement = CompiledQuery.raw(`insert into "${table}" (${columns.join(', ')}) values ${values}`)
  statements.set(key, statement)
  return statement
}
