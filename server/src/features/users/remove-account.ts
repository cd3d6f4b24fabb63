import { lockAccount } from '../../auth/accounts.repo.ts'
import type { Context } from '../../context.ts'
import { type AccountTable, accountTables } from '../../db/account-tables.ts'
import type { Db } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import { removeIndexSlice } from '../../search-index/remove-index.ts'
import { deleteSomeCredentials, deleteSomeRows, listSpacesOfAccount } from './account-rows.repo.ts'
import { deleteAccountRow, listDeletedAccounts, markAccountDeleted } from './accounts.repo.ts'
import * as users from './users.repo.ts'

/** So many rows go in one transaction, so that others have their turn in between. */
const rowsPerSlice = 500
const accountsPerRound = 100

/**
 * Deletes an account, its users and all that belongs to it. First, in one transaction, it is marked and its members go,
 * so that nobody signs in or writes any more; then its rows go in slices. What is interrupted,
 * {@link finishRemovals} brings to its end.
 */
export async function removeAccount(ctx: Context, accountId: number): Promise<void> {
  await transact(ctx, async ({ db, dialect, now }) => {
    await lockAccount(db, dialect, accountId)
    await markAccountDeleted(db, accountId, now())
    await removeMembers(db, accountId)
  })
  await removeRows(ctx, accountId)
}

/** Ends the deletions that were interrupted; answers of how many accounts. */
export async function finishRemovals(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const accounts = await listDeletedAccounts(ctx.db, accountsPerRound)
    for (const accountId of accounts) await removeRows(ctx, accountId)
    count += accounts.length
    if (accounts.length < accountsPerRound) return count
  }
}

/** Members of other accounts stay users, with a personal key for one of those. */
async function removeMembers(db: Db, accountId: number): Promise<void> {
  for (;;) {
    const members = await users.listMemberIds(db, accountId, rowsPerSlice)
    for (const userId of members) {
      await users.deleteMember(db, accountId, userId)
      const [other] = await users.listAccountsOfUser(db, userId)
      if (other === undefined) await users.deleteUser(db, userId)
      else await users.movePersonalKey(db, userId, other)
    }
    if (members.length < rowsPerSlice) return
  }
}

async function removeRows(ctx: Context, accountId: number): Promise<void> {
  await repeat(ctx, async ({ db }) => (await deleteSomeCredentials(db, accountId, rowsPerSlice)) > 0)
  for (const scope of await listSpacesOfAccount(ctx.db, accountId)) {
    await repeat(ctx, ({ db, dialect }) => removeIndexSlice(db, dialect, scope, rowsPerSlice))
  }
  for (const table of Object.keys(accountTables) as AccountTable[]) {
    await repeat(ctx, async ({ db }) => (await deleteSomeRows(db, accountId, table, rowsPerSlice)) > 0)
  }
  await transact(ctx, ({ db }) => deleteAccountRow(db, accountId))
}

/** Runs `work`, each time in a transaction of its own, until there is nothing more to do. */
async function repeat(ctx: Context, work: (inner: Context) => Promise<boolean>): Promise<void> {
  while (await transact(ctx, work));
}
