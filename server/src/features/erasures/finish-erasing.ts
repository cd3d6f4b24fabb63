import { forgetUnusedWordsOf } from '../../search/store/forget-words.ts'
import { purgeIndex } from '../../search/store/purge-index.ts'
import { findIndexedSpace } from '../../search/store/search-index.repo.ts'
import { findTurnIndex } from '../../search/store/turn-index.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

/**
 * Removes what an erasure has left: words that no text of these spaces has any more, and in a SQLite file the postings
 * and rows that were deleted and could be read in it until then. In steps, between which others can work; not within a
 * transaction.
 */
export async function finishErasing(ctx: Context, scopes: readonly Scope[]): Promise<void> {
  for (const { accountId, spaceId } of scopes)
    for (const find of [findIndexedSpace, findTurnIndex])
      await forgetUnusedWordsOf(ctx, accountId, (db) => find(db, { accountId, spaceId }))
  const [scope] = scopes
  if (scope === undefined || ctx.dialect.name !== 'sqlite') return
  await purgeIndex(ctx, scope)
  try {
    if (!(await ctx.dialect.dropEarlierVersions()))
      ctx.log.warn(
        'other processes use the database: its file keeps traces of what was erased until the next time',
      )
  } catch (error) {
    ctx.log.error({ err: error }, 'the database file keeps traces of what was erased')
  }
}
