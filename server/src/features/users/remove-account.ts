import { removeIndexSlice } from '../../search/store/remove-index.ts'
import { type AccountTable, accountTables } from '../../store/account-tables.ts'
import type { Db } from '../../store/db.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import { listAccountsOfUser } from '../../tenancy/auth/accounts-of-user.repo.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import type { Context } from '../../tenancy/context.ts'
import { deleteSomeCredentials, deleteSomeRows, listSpacesOfAccount } from './account-rows.repo.ts'
import { deleteAccountRow, listDeletedAccounts, markAccountDeleted } from './accounts.repo.ts'
import { removeFactors } from './second-factors/change-factors.ts'
import * as users from './users.repo.ts'

/** Rows deleted per transaction, so that other work can run in between. */
const rowsPerSlice = 500
const accountsPerRound = 100

/**
 * Deletes an account, its users and its data. One transaction marks it and removes its members, so that nobody can sign
 * in or write; then its rows are deleted in batches. {@link finishRemovals} finishes interrupted deletions.
 */
export async function removeAccount(ctx: Context, accountId: number): Promise<void> {
  await transact(ctx, async (inner) => {
    const { db, now } = inner
    await lockAccount(db, accountId)
    await announceRevocation(inner, accountId)
    await markAccountDeleted(db, accountId, now())
    await removeMembers(db, accountId)
  })
  await removeRows(ctx, accountId)
}

/** Finishes interrupted deletions, until all are done or `signal` aborts. */
export async function finishRemovals(ctx: Context, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const accounts = await listDeletedAccounts(ctx.db, accountsPerRound)
    for (const accountId of accounts) await removeRows(ctx, accountId, signal)
    if (accounts.length < accountsPerRound || signal?.aborted) return
  }
}

/** Users with other accounts are kept, with a personal key for one of those. */
async function removeMembers(db: Db, accountId: number): Promise<void> {
  for (;;) {
    const members = await users.listMemberIds(db, accountId, rowsPerSlice)
    for (const userId of members) {
      await users.deleteMember(db, accountId, userId)
      const [other] = await listAccountsOfUser(db, userId)
      if (other === undefined) await removeUser(db, userId)
      else await users.movePersonalKey(db, userId, { from: accountId, to: other })
    }
    if (members.length < rowsPerSlice) return
  }
}

async function removeUser(db: Db, userId: string): Promise<void> {
  await removeFactors({ db }, userId)
  await users.deleteUser(db, userId)
}

/** Deletes the rows of an account marked as deleted that has no members. */
export async function removeRows(ctx: Context, accountId: number, signal?: AbortSignal): Promise<void> {
  await ctx.dialect.updateStatistics(ctx.db)
  const repeat = async (work: (inner: Context) => Promise<boolean>) => {
    while (!signal?.aborted && (await transact(ctx, work)));
  }
  await repeat(async ({ db }) => (await deleteSomeCredentials(db, accountId, rowsPerSlice)) > 0)
  for (const scope of await listSpacesOfAccount(ctx.db, accountId)) {
    await repeat(({ db }) => removeIndexSlice(db, scope, rowsPerSlice))
  }
  for (const table of Object.keys(accountTables) as AccountTable[]) {
    await repeat(async ({ db }) => (await deleteSomeRows(db, accountId, table, rowsPerSlice)) > 0)
  }
  if (!signal?.aborted) await transact(ctx, ({ db }) => deleteAccountRow(db, accountId))
}
