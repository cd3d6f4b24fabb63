import { allPages } from '../../ground/lib/all-pages.ts'
import { removePostingsOf, removeSpaceIndexSlice } from '../../search/store/remove-index.ts'
import { turnScopeOf } from '../../search/store/turn-scope.ts'
import type { AccountTable } from '../../store/account-tables.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { deleteRowsOfSpace, deleteSpaceRow, spaceTables, subtractFromAccount } from './space-rows.repo.ts'
import { listDeletedSpaces, lockDeletedSpace } from './spaces.repo.ts'

/** Rows deleted per transaction, so that other work can run in between. */
const rowsPerSlice = 500
const spacesPerPage = 100

/** Spaces being deleted, of these accounts if some are given. */
export async function* deletedSpaces(
  { db }: Context,
  accountIds?: readonly number[],
): AsyncGenerator<Scope, void> {
  const list = (last: Scope = { accountId: 0, spaceId: 0 }) =>
    listDeletedSpaces(db, last, spacesPerPage, accountIds)
  for await (const page of allPages(spacesPerPage, list)) yield* page
}

/** Deletes the rows of a space being deleted, in batches. Returns whether it was over before all were gone. */
export async function removeSpaceRows(ctx: Context, space: Scope, isOver: () => boolean): Promise<boolean> {
  while (await removeIndexSliceOf(ctx, space)) if (isOver()) return true
  for (const table of spaceTables) {
    while (await deleteSpaceSlice(ctx, space, table)) if (isOver()) return true
  }
  for (const table of turnIndexTables) {
    while (await deleteSpaceSlice(ctx, space, table, turnScopeOf(space))) if (isOver()) return true
  }
  await transact(ctx, space.accountId, ({ db }) => deleteSpaceRow(db, space))
  return false
}

const removeIndexSliceOf = (ctx: Context, space: Scope) =>
  transact(ctx, space.accountId, ({ db }) => removeSpaceIndexSlice(db, space, rowsPerSlice))

/** What the index of a space's turns stores beside its postings. */
const turnIndexTables = ['passages', 'index_marks', 'search_words'] as const

/**
 * Deletes some rows of a space marked as deleted and subtracts them from the account's totals; false at the end.
 * @param part the scope under which the rows stand
 */
export async function deleteSpaceSlice(
  ctx: Context,
  space: Scope,
  table: AccountTable,
  part = space,
): Promise<boolean> {
  return transact(ctx, space.accountId, async ({ db }) => {
    await lockAccount(db, space.accountId)
    if (!(await lockDeletedSpace(db, space))) return false
    const { rows, ids, ...bytes } = await deleteRowsOfSpace(db, part, table, rowsPerSlice)
    await removePostingsOf(db, space, ids)
    const entities = table === 'entities' ? rows : 0
    if (entities + bytes.bytes + bytes.conversationBytes > 0)
      await subtractFromAccount(db, space.accountId, { entities, ...bytes })
    return rows === rowsPerSlice
  })
}
