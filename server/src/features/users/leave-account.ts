import { listAccountsOfUser } from '../../tenancy/auth/accounts-of-user.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { endConnectionsOf } from '../connections/end-connection.ts'
import { deleteKeysOf } from '../keys/keys.service.ts'
import { createAccount } from './new-account.ts'
import * as sessions from './sessions.repo.ts'
import * as users from './users.repo.ts'

/**
 * Ends a membership with its sessions, keys and connected apps. A user left without an account gets a new one, so that
 * they can sign in. Must be called in a transaction, after {@link announceRevocation}.
 */
export async function leaveAccount(ctx: Context, accountId: number, userId: string): Promise<void> {
  const { db, dialect, now } = ctx
  await sessions.deleteSessions(db, { accountId, userId })
  await deleteKeysOf({ db, dialect }, accountId, userId)
  await endConnectionsOf(ctx, accountId, { userId })
  await users.deleteMember(db, accountId, userId)
  const [other] = await listAccountsOfUser(db, userId)
  const next = other ?? (await createAccount(ctx))
  if (other === undefined)
    await users.insertMember(db, { accountId: next, userId, role: 'owner', createdAt: now() })
  await users.movePersonalKey(db, userId, { from: accountId, to: next })
}
