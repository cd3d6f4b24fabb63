import { pastTables } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

const tables = Object.values(pastTables)

/** All spaces in order of number, after `after`. */
export async function listSpacesAfter(db: Db, after: Scope, limit: number): Promise<Scope[]> {
  return db
    .selectFrom('spaces')
    .select(['account_id as accountId', 'space_id as spaceId'])
    .where((eb) => eb(eb.refTuple('account_id', 'space_id'), '>', eb.tuple(after.accountId, after.spaceId)))
    .where('deleted_at', 'is', null)
    .orderBy('account_id')
    .orderBy('space_id')
    .limit(limit)
    .execute()
}

/** The change that ended the oldest kept version; undefined if none is kept. */
export async function findFirstEnd(db: Db, scope: Scope): Promise<number | undefined> {
  const ends: number[] = []
  for (const table of tables) {
    const row = await db
      .selectFrom(table)
      .select('until')
      .where(isIn(scope))
      .orderBy('until')
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) ends.push(row.until)
  }
  return ends.length === 0 ? undefined : Math.min(...ends)
}

/** Deletes the versions ended by changes up to `seq`, of which each ended at most one, and records that. */
export async function deleteEnded(db: Db, scope: Scope, seq: number): Promise<void> {
  for (const table of tables) {
    await db.deleteFrom(table).where(isIn(scope)).where('until', '<=', seq).execute()
  }
  await db.updateTable('spaces').set({ history_from: seq }).where(isIn(scope)).execute()
}
