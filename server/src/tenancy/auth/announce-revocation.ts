import { afterCommit } from '../../store/transact.ts'
import type { Context } from '../context.ts'
import { countRevocation } from './revocations.repo.ts'

/**
 * On commit of the current transaction, makes all processes check the credentials of an account again and close the
 * sockets and streams of those that have ended. Call it before touching credentials: other writers also lock the
 * account first.
 */
export async function announceRevocation({ db, changes }: Context, accountId: number): Promise<void> {
  await countRevocation(db, accountId)
  afterCommit(db, () => changes.announceRevocation(accountId))
}
