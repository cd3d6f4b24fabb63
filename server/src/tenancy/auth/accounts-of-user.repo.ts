import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'

/**
 * `users.account_ids` repeats what `members` says by account: on a cluster the members of an account are on its node, so
 * without it the accounts of a person would be asked of every node. `loci check` compares both.
 */

/** Maximum number of accounts that a user can be a member of. */
export const accountsPerUserMax = 100

type Row = { account_ids: string }

/** In ascending order. */
export const readAccountIds = ({ account_ids }: Row): number[] => JSON.parse(account_ids)

/** The accounts that a user is a member of, in ascending order. */
export async function listAccountsOfUser(db: Db, userId: string): Promise<number[]> {
  const row = await db.selectFrom('users').select('account_ids').where('id', '=', userId).executeTakeFirst()
  return row === undefined ? [] : readAccountIds(row)
}

/** Must be called in a transaction, with the change to `members`. */
export async function changeAccountIds(
  db: Db,
  userId: string,
  change: (accountIds: number[]) => number[],
): Promise<void> {
  const row = await db
    .selectFrom('users')
    .select('account_ids')
    .where('id', '=', userId)
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst()
  if (row === undefined) return
  const accountIds = [...new Set(change(readAccountIds(row)))].sort((a, b) => a - b)
  await db
    .updateTable('users')
    .set({ account_ids: JSON.stringify(accountIds) })
    .where('id', '=', userId)
    .execute()
}
