import { type RawBuilder, sql } from 'kysely'
import type { PlainRow } from './db.ts'

export const refOf = (column: string | RawBuilder<unknown>) =>
  typeof column === 'string' ? sql.ref(column) : column

export function columnsOf(rows: readonly PlainRow[]): string[] {
  return Object.keys(rows[0] ?? {})
}
