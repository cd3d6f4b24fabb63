import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import { listAccountsOfUser } from '../../tenancy/auth/accounts-of-user.repo.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import type { Context } from '../../tenancy/context.ts'
import { endConnectionsOf } from '../connections/end-connection.ts'
import { deleteKeysOf } from '../keys/keys.service.ts'
import { removeFactors } from './second-factors/change-factors.ts'
import * as sessions from './sessions.repo.ts'
import * as users from './users.repo.ts'
import { requireUserByEmail } from './users.service.ts'

/** For the command line, whose user has access to the database, so no rights are checked. */

/** Disables the user's sessions and keys. Throws `user_not_found`. */
export async function suspendUser(ctx: Context, email: string): Promise<void> {
  await inAccountsOf(ctx, email, async ({ db, now }, { userId, accountIds }) => {
    await users.setSuspended(db, userId, now())
    for (const accountId of accountIds) await sessions.deleteSessions(db, { accountId, userId })
  })
}

/** Lets the user sign in and use their keys again. Throws `user_not_found`. */
export async function resumeUser(ctx: Context, email: string): Promise<void> {
  await inAccountsOf(ctx, email, ({ db }, { userId }) => users.setSuspended(db, userId, null))
}

/**
 * Deletes a user with their sessions, keys and connected apps; the account keeps the data that they stored. Throws
 * `user_not_found`, and `user_is_owner` if they own an account.
 */
export async function removeUser(ctx: Context, email: string): Promise<void> {
  await inAccountsOf(ctx, email, async (inner, { userId, accountIds }) => {
    const { db, dialect } = inner
    const roles = await Promise.all(accountIds.map((accountId) => users.findUser(db, accountId, userId)))
    if (roles.some((user) => user?.role === 'owner')) {
      const message = `${email} owns an account. "loci account delete ${email}" deletes it with its memory.`
      throw new AppError('user_is_owner', message)
    }
    for (const accountId of accountIds) {
      await sessions.deleteSessions(db, { accountId, userId })
      await deleteKeysOf({ db, dialect }, accountId, userId)
      await endConnectionsOf(inner, accountId, { userId })
      await users.deleteMember(db, accountId, userId)
    }
    await users.deletePersonalKey(db, userId)
    await removeFactors(inner, userId)
    await users.deleteUser(db, userId)
  })
}

type Subject = { userId: string; accountIds: number[] }

/** Runs `work` in a transaction, after which every process rechecks the user's credentials. */
async function inAccountsOf(
  ctx: Context,
  email: string,
  work: (inner: Context, subject: Subject) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (inner) => {
    const { id: userId } = await requireUserByEmail(inner.db, email)
    const accountIds = await listAccountsOfUser(inner.db, userId)
    for (const accountId of accountIds) await announceRevocation(inner, accountId)
    await work(inner, { userId, accountIds })
  })
}
