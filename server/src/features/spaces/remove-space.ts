import { secondMs } from '../../ground/lib/time.ts'
import { removePostingsOf, removeSpaceIndexSlice } from '../../search/store/remove-index.ts'
import { turnScopeOf } from '../../search/store/turn-scope.ts'
import type { AccountTable } from '../../store/account-tables.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { type Follower, startFollower } from '../../tenancy/leases/follower.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { deleteRowsOfSpace, deleteSpaceRow, spaceTables, subtractFromAccount } from './space-rows.repo.ts'
import { listDeletedSpaces, lockDeletedSpace } from './spaces.repo.ts'

/** Rows deleted per transaction, so that other work can run in between. */
const rowsPerSlice = 500
const spacesPerPage = 100
/** After this time the lease is renewed and the next space gets its turn. */
const visitMs = 5 * secondMs
const leaseMs = 30 * secondMs
/** Nobody waits for it: deleted spaces are not found any more. */
const restMs = 5 * secondMs

/** Deletes the rows of spaces being deleted, in batches; resumes where a process that died stopped. */
export function startSpaceRemoval(ctx: Context): Follower {
  return startFollower<Scope>(ctx, {
    name: 'space-removal',
    leaseMs,
    restMs,
    behind: (_lease, accountIds) => deletedSpaces(ctx, accountIds),
    catchUp: (space, _lease, signal) => removeForAWhile(ctx, space, signal),
    onFailure: async (error, failures) => {
      if (failures === 1) ctx.log.warn({ err: error }, 'a space could not be deleted; trying again')
      return undefined
    },
  })
}

/** Finishes interrupted deletions of spaces. */
export async function finishSpaceRemovals(ctx: Context): Promise<void> {
  for await (const space of deletedSpaces(ctx)) while (await removeForAWhile(ctx, space));
}

/** Number of deleted spaces that still have rows. */
export async function countSpaceRemovals(ctx: Context): Promise<number> {
  let count = 0
  for await (const _ of deletedSpaces(ctx)) count++
  return count
}

async function* deletedSpaces({ db }: Context, accountIds?: readonly number[]): AsyncGenerator<Scope, void> {
  let after: Scope | undefined = { accountId: 0, spaceId: 0 }
  while (after !== undefined) {
    const page: Scope[] = await listDeletedSpaces(db, after, spacesPerPage, accountIds)
    yield* page
    after = page.length < spacesPerPage ? undefined : page.at(-1)
  }
}

/** Returns whether there is more to delete. */
async function removeForAWhile(ctx: Context, space: Scope, signal?: AbortSignal): Promise<boolean> {
  const endsAt = performance.now() + visitMs
  await ctx.dialect.updateStatistics(ctx.db)
  const isOver = () => signal?.aborted === true || performance.now() > endsAt
  while (await removeIndexSliceOf(ctx, space)) if (isOver()) return true
  for (const table of spaceTables) {
    while (await deleteSpaceSlice(ctx, space, table)) if (isOver()) return true
  }
  for (const table of turnIndexTables) {
    while (await deleteSpaceSlice(ctx, space, table, turnScopeOf(space))) if (isOver()) return true
  }
  await transact(ctx, ({ db }) => deleteSpaceRow(db, space), space.accountId)
  return false
}

const removeIndexSliceOf = (ctx: Context, space: Scope) =>
  transact(ctx, ({ db }) => removeSpaceIndexSlice(db, space, rowsPerSlice), space.accountId)

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
  return transact(
    ctx,
    async ({ db }) => {
      await lockAccount(db, space.accountId)
      if (!(await lockDeletedSpace(db, space))) return false
      const { rows, ids, ...bytes } = await deleteRowsOfSpace(db, part, table, rowsPerSlice)
      await removePostingsOf(db, space, ids)
      const entities = table === 'entities' ? rows : 0
      if (entities + bytes.bytes + bytes.conversationBytes > 0)
        await subtractFromAccount(db, space.accountId, { entities, ...bytes })
      return rows === rowsPerSlice
    },
    space.accountId,
  )
}
