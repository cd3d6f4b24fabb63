import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Scope } from '../scope.ts'

/**
 * Removes some `limit` of the postings of a space that goes with its account; the account's tables go like any others.
 * Answers whether there is more. Nobody may write to the space any more.
 */
export async function removeIndexSlice(db: Db, scope: Scope, limit: number): Promise<boolean> {
  return dialectOf(db).postings.removeAll(db, scope, limit)
}

/** The same for a space that goes while others of its account stay; {@link removePostingsOf} does the rest. */
export async function removeSpaceIndexSlice(db: Db, scope: Scope, limit: number): Promise<boolean> {
  return dialectOf(db).postings.removeSpace(db, scope, limit)
}

/** Removes the postings of observations, passages, entities or words whose rows go with their space. */
export async function removePostingsOf(db: Db, scope: Scope, ids: readonly number[]): Promise<void> {
  await dialectOf(db).postings.removeIds(db, scope, ids)
}
