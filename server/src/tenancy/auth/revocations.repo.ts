import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'

/** Counts that credentials of an account end; locks the account until the end of the transaction. */
export async function countRevocation(db: Db, accountId: number): Promise<void> {
  await db
    .updateTable('accounts')
    .set((eb) => ({ revocations: eb('revocations', '+', 1) }))
    .where('account_id', '=', accountId)
    .execute()
}

/** How often credentials of these accounts have ended; deleted accounts are left out. */
export async function listRevocations(db: Db, accountIds: readonly number[]) {
  return db
    .selectFrom('accounts')
    .select(['account_id as accountId', 'revocations'])
    .where(dialectOf(db).isOneOfNumbers('account_id', accountIds))
    .execute()
}
