import { type RawBuilder, sql } from 'kysely'
import { countedColumns } from '../../rows/codec.ts'
import { type AccountTable, accountTables } from '../../store/account-tables.ts'
import type { Db } from '../../store/db.ts'
import { firstRows } from '../../store/first-rows.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** The tables whose rows belong to a space, in the order in which they can be emptied. */
export const spaceTables = (Object.keys(accountTables) as AccountTable[]).filter(
  (table) => table !== 'spaces' && (accountTables[table] as readonly string[])[0] === 'space_id',
)

/** The columns whose texts count towards the account's bytes: of the graph, or of conversations. */
const countedOf: Partial<Record<AccountTable, readonly string[]>> = {
  ...countedColumns,
  turns: ['text', 'tool', 'files'],
}

/** What rows of a table take of the account's totals. */
function bytesOfRows(table: AccountTable): RawBuilder<unknown> {
  const lengths = (countedOf[table] ?? []).map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  return lengths.length === 0 ? sql`0` : sql.join(lengths, sql` + `)
}

/** The tables whose rows are in the search index under their ids. */
const postedTables: readonly AccountTable[] = [
  'turns',
  'observations',
  'passages',
  'entities',
  'search_words',
]

/** `ids` are those of rows in the search index; `bytes` and `conversationBytes` no longer count. */
export type Removed = { rows: number; bytes: number; conversationBytes: number; ids: number[] }

/** Deletes at most `limit` rows of a space from a table. */
export async function deleteRowsOfSpace(
  db: Db,
  { accountId, spaceId }: Scope,
  table: AccountTable,
  limit: number,
): Promise<Removed> {
  const inSpace = sql`account_id = ${accountId} and space_id = ${spaceId}`
  const some = firstRows(table, accountTables[table].slice(1), inSpace, limit)
  const isPosted = postedTables.includes(table)
  const { rows } = await sql<{ bytes: number; id: number }>`delete from ${sql.table(table)}
    where ${inSpace} and ${some}
    returning ${bytesOfRows(table)} as bytes, ${isPosted ? sql.ref('id') : sql`0`} as id`.execute(db)
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0)
  return {
    rows: rows.length,
    ...(table === 'turns' ? { bytes: 0, conversationBytes: bytes } : { bytes, conversationBytes: 0 }),
    ids: isPosted ? rows.map(({ id }) => id) : [],
  }
}

/** Subtracts deleted rows from the account's totals. */
export async function subtractFromAccount(
  db: Db,
  accountId: number,
  removed: { entities: number; bytes: number; conversationBytes: number },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set((eb) => ({
      entities: eb('entities', '-', removed.entities),
      bytes: eb('bytes', '-', removed.bytes),
      conversation_bytes: eb('conversation_bytes', '-', removed.conversationBytes),
    }))
    .where('account_id', '=', accountId)
    .execute()
}

/** Deletes other references to a space, and its row. */
export async function deleteSpaceRow(db: Db, scope: Scope): Promise<void> {
  for (const table of ['webhook_deliveries', 'webhook_cursors', 'idempotency_keys', 'spaces'] as const) {
    await db.deleteFrom(table).where(isIn(scope)).execute()
  }
}
