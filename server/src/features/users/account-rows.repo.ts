import { sql } from 'kysely'
import { type AccountTable, accountTables } from '../../db/account-tables.ts'
import type { Db } from '../../db/db.ts'
import type { Scope } from '../../scope.ts'

/** Deletes at most `limit` rows of an account from a table; returns how many. */
export async function deleteSomeRows(
  db: Db,
  accountId: number,
  table: AccountTable,
  limit: number,
): Promise<number> {
  const columns = accountTables[table].map((column) => sql.ref(column))
  const some =
    columns.length === 0
      ? sql``
      : sql` and (${sql.join(columns)}) in (
          select ${sql.join(columns)} from ${sql.table(table)} where account_id = ${accountId} limit ${limit})`
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table)} where account_id = ${accountId}${some}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes at most `limit` of an account's credentials; returns how many. */
export async function deleteSomeCredentials(db: Db, accountId: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('credentials')
    .where('hash', 'in', (eb) =>
      eb.selectFrom('credentials').select('hash').where('account_id', '=', accountId).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const spacesPerAccountMax = 1_000

export async function listSpacesOfAccount(db: Db, accountId: number): Promise<Scope[]> {
  const rows = await db
    .selectFrom('spaces')
    .select('space_id')
    .where('account_id', '=', accountId)
    .orderBy('space_id')
    .limit(spacesPerAccountMax)
    .execute()
  return rows.map(({ space_id }) => ({ accountId, spaceId: space_id }))
}
