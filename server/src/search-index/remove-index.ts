import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import type { Scope } from '../scope.ts'

/**
 * Removes some `limit` of the postings of a space that goes with its account; the account's tables go like any others.
 * Answers whether there is more. Nobody may write to the space any more.
 */
export async function removeIndexSlice(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  limit: number,
): Promise<boolean> {
  return dialect.postings.removeAll(db, scope, limit)
}
