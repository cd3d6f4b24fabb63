import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from './scope.ts'

/** The condition that begins each statement on rows of a space; `table` where a statement has several. */
export function isIn({ accountId, spaceId }: Scope, table?: string): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`)
  return sql<SqlBool>`${column('account_id')} = ${accountId} and ${column('space_id')} = ${spaceId}`
}
