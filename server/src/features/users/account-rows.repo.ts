import { type RawBuilder, sql } from 'kysely'
import { type AccountTable, accountTables } from '../../store/account-tables.ts'
import type { Db } from '../../store/db.ts'
import { firstRows } from '../../store/first-rows.ts'
import { deleteCredentials } from '../../tenancy/auth/credentials.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Deletes at most `limit` rows of an account from a table; returns how many. */
export async function deleteSomeRows(
  db: Db,
  accountId: number,
  table: AccountTable,
  limit: number,
): Promise<number> {
  const key: readonly string[] = accountTables[table]
  const ofAccount = sql`account_id = ${accountId}`
  if (key[0] !== 'space_id' || key.length === 1) return deleteFirst(db, table, key, ofAccount, limit)
  // Within one space: for a range of spaces SQLite prefers other indexes, and reads all rows for each batch.
  const { rows } = await sql<{ id: number }>`select space_id as id from ${sql.table(table)}
    where ${ofAccount} order by space_id limit 1`.execute(db)
  if (rows[0] === undefined) return 0
  const ofSpace = sql`${ofAccount} and space_id = ${rows[0].id}`
  return deleteFirst(db, table, key.slice(1), ofSpace, limit)
}

async function deleteFirst(
  db: Db,
  table: AccountTable,
  key: readonly string[],
  where: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const some = firstRows(table, key, where, limit)
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${where} and ${some}`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Ends what the jobs would do in an account: in its spaces, at the ends of its periods, and with mails that wait. */
export async function endOwnWork(db: Db, accountId: number, at: number): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ deleted_at: at })
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute()
  for (const table of ['subscriptions', 'ledger_checks', 'mails'] as const)
    await db.deleteFrom(table).where('account_id', '=', accountId).execute()
}

/** Deletes at most `limit` of an account's credentials; returns how many. */
export async function deleteSomeCredentials(db: Db, accountId: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('credentials')
    .select('hash')
    .where('account_id', '=', accountId)
    .limit(limit)
    .execute()
  return deleteCredentials(
    db,
    rows.map(({ hash }) => hash),
  )
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
