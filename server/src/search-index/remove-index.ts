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
