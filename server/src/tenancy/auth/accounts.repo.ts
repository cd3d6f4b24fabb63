import { AppError } from '../../ground/errors/app-error.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'

const selectLocked = prepared((db, values: { accountId: number }) =>
  db
    .selectFrom('accounts')
    .select('plan')
    .where('account_id', '=', values.accountId)
    .where('deleted_at', 'is', null)
    .modifyEnd(dialectOf(db).forUpdate),
)

/**
 * Locks an account until the end of the transaction, which serialises its writers, and returns its plan. Throws
 * `not_authenticated` if the account is deleted or being deleted.
 */
export async function lockAccount(db: Db, accountId: number): Promise<{ plan: string }> {
  const [account] = await selectLocked(db, { accountId })
  if (account === undefined) throw new AppError('not_authenticated', 'This account was deleted')
  return account
}

/** Where mails about the account go. */
export async function findOwnerEmail(db: Db, accountId: number): Promise<string | undefined> {
  const owner = await db
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  if (owner === undefined) return undefined
  const user = await db.selectFrom('users').select('email').where('id', '=', owner.user_id).executeTakeFirst()
  return user?.email
}
