import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { postingsOf } from './posting-lists.ts'
import { turnScopeOf } from './turn-scope.ts'

/**
 * Removes about `limit` postings of a space that is deleted with its account; the account's tables are
 * deleted like any others. Returns whether more are left. Nobody can write to the space any more.
 */
export async function removeIndexSlice(db: Db, scope: Scope, limit: number): Promise<boolean> {
  const { removeAll } = postingsOf(dialectOf(db))
  return (await removeAll(db, scope, limit)) || removeAll(db, turnScopeOf(scope), limit)
}

/**
 * The same for a space that is deleted while others of its account stay; {@link removePostingsOf} does
 * the rest.
 */
export async function removeSpaceIndexSlice(db: Db, scope: Scope, limit: number): Promise<boolean> {
  const { removeSpace } = postingsOf(dialectOf(db))
  return (await removeSpace(db, scope, limit)) || removeSpace(db, turnScopeOf(scope), limit)
}

/**
 * Removes the postings of observations, passages, entities or words whose rows are deleted with their
 * space.
 */
export async function removePostingsOf(db: Db, scope: Scope, ids: readonly number[]): Promise<void> {
  await postingsOf(dialectOf(db)).removeIds(db, scope, ids)
}
