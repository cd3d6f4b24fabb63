import { countFound } from '../../../store/count-found.ts'
import type { Db } from '../../../store/db.ts'

export type LedgerCheck = { checkedAt: number; differences: string[] }

/** Stores the outcome of a comparison. */
export async function saveCheck(
  db: Db,
  accountId: number,
  { checkedAt, differences }: LedgerCheck,
): Promise<void> {
  const fields = {
    checked_at: checkedAt,
    differences: JSON.stringify(differences),
    differing: differences.length,
  }
  await db
    .insertInto('ledger_checks')
    .values({ account_id: accountId, ...fields })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(fields))
    .execute()
}

export async function findCheck(db: Db, accountId: number): Promise<LedgerCheck | undefined> {
  const row = await db
    .selectFrom('ledger_checks')
    .select(['checked_at', 'differences'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { checkedAt: row.checked_at, differences: JSON.parse(row.differences) }
}

/** Accounts whose books were not compared since `before`, the longest ago first. */
export async function listUnchecked(db: Db, before: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('ledger_checks')
    .select('account_id')
    .where('checked_at', '<=', before)
    .orderBy('checked_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.account_id)
}

/** Accounts that have books, after the account `after`. */
export async function listChecked(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('ledger_checks')
    .select('account_id')
    .where('account_id', '>', after)
    .orderBy('account_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.account_id)
}

/** Forgets an account without books. */
export async function deleteCheck(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('ledger_checks').where('account_id', '=', accountId).execute()
}

/** How many accounts' books differ from the gateway. */
export async function countDiffering(db: Db): Promise<number> {
  return countFound(db.selectFrom('ledger_checks').where('differing', '>', 0))
}

/** When the books that were compared the longest ago were compared; undefined without any. */
export async function findOldestCheck(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('ledger_checks')
    .select('checked_at')
    .orderBy('checked_at')
    .limit(1)
    .executeTakeFirst()
  return row?.checked_at
}
