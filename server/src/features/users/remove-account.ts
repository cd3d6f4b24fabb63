import { allPages } from '../../ground/lib/all-pages.ts'
import { removeIndexSlice } from '../../search/store/remove-index.ts'
import { type AccountTable, accountTables } from '../../store/account-tables.ts'
import type { Db } from '../../store/db.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import { listAccountsOfUser } from '../../tenancy/auth/accounts-of-user.repo.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import type { Context } from '../../tenancy/context.ts'
import {
  deleteSomeCredentials,
  deleteSomeRows,
  endOwnWork,
  listSpacesOfAccount,
} from './account-rows.repo.ts'
import {
  deleteAccountRow,
  listDeletedAccounts,
  lockDeletedAccount,
  markAccountDeleted,
} from './accounts.repo.ts'
import { removeFactors } from './second-factors/change-factors.ts'
import * as users from './users.repo.ts'

/** Rows deleted per transaction, so that other work can run in between. */
const rowsPerSlice = 500
const accountsPerPage = 100

/**
 * Deletes an account and its users: once this is committed, nobody finds it any more, and its addresses are free. Its
 * rows go later, see {@link removeAccountRows}.
 */
export async function removeAccount(ctx: Context, accountId: number): Promise<void> {
  await transact(ctx, accountId, async (inner) => {
    await lockAccount(inner.db, accountId)
    await endAccount(inner, accountId)
  })
}

/** Marks an account as deleted, and deletes what is found, or acts, by itself. Call it under the account's lock. */
export async function endAccount(inner: Context, accountId: number): Promise<void> {
  const { db, now } = inner
  await announceRevocation(inner, accountId)
  await markAccountDeleted(db, accountId, now())
  await removeMembers(db, accountId)
  await endOwnWork(db, accountId, now())
  while ((await deleteSomeCredentials(db, accountId, rowsPerSlice)) > 0);
}

/** Accounts being deleted, of these if some are given. */
export async function* deletedAccounts(
  { db }: Context,
  accountIds?: readonly number[],
): AsyncGenerator<{ accountId: number }, void> {
  const list = (last = { accountId: 0 }) =>
    listDeletedAccounts(db, last.accountId, accountsPerPage, accountIds)
  for await (const page of allPages(accountsPerPage, list)) yield* page
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

/** Deletes the rows of an account being deleted, in batches. Returns whether it was over before all were gone. */
export async function removeAccountRows(
  ctx: Context,
  accountId: number,
  isOver: () => boolean,
): Promise<boolean> {
  /** One process at a time; a batch that deletes nothing is the last. */
  const slice = (work: (db: Db) => Promise<boolean>) =>
    transact(ctx, accountId, async ({ db }) => (await lockDeletedAccount(db, accountId)) && (await work(db)))
  for (const scope of await listSpacesOfAccount(ctx.db, accountId)) {
    while (await slice((db) => removeIndexSlice(db, scope, rowsPerSlice))) if (isOver()) return true
  }
  for (const table of Object.keys(accountTables) as AccountTable[]) {
    const work = async (db: Db) => (await deleteSomeRows(db, accountId, table, rowsPerSlice)) > 0
    while (await slice(work)) if (isOver()) return true
  }
  await transact(ctx, accountId, ({ db }) => deleteAccountRow(db, accountId))
  return false
}
