import { CompiledQuery } from 'kysely'
import type { Db, PlainRow } from './dialect.ts'

/** Few different sizes, so that the prepared statements are found again. */
const rowsPerInsert = [64, 8, 1]

/** Inserts many rows, which all have the same columns. */
export async function sqliteInsertRows(db: Db, table: string, rows: readonly PlainRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const placeholders = `(${columns.map(() => '?').join(', ')})`
  let start = 0
  for (const size of rowsPerInsert) {
    const statement = `insert into "${table}" (${columns.join(', ')}) values ${Array(size).fill(placeholders).join(', ')}`
    for (; start + size <= rows.length; start += size) {
      const parameters = rows
        .slice(start, start + size)
        .flatMap((row) => columns.map((column) => row[column]))
      await db.executeQuery(CompiledQuery.raw(statement, parameters))
    }
  }
}
