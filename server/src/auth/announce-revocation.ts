import type { Context } from '../context.ts'
import { afterCommit } from '../db/transact.ts'
import { countRevocation } from './revocations.repo.ts'

/**
 * Has all processes look at the credentials of an account again when the transaction under way is committed, so that
 * the sockets and streams of those that it ends are closed. To be called before the credentials are touched: others
 * lock the account first, too.
 */
export async function announceRevocation({ db, changes }: Context, accountId: number): Promise<void> {
  await countRevocation(db, accountId)
  afterCommit(db, () => changes.announceRevocation(accountId))
}
