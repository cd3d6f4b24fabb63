import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import type { PassagesTable } from '../db/schema.ts'
import type { Scope } from '../scope.ts'

export async function insertPassages(
  db: Db,
  dialect: Dialect,
  rows: readonly PassagesTable[],
): Promise<void> {
  await dialect.insertRows(db, 'passages', rows)
}

export type FurtherPassage = { id: number; observationId: number; part: number }

/** The second and later passages of these observations, in order. */
export async function listFurtherPassages(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  observationIds: readonly number[],
): Promise<FurtherPassage[]> {
  if (observationIds.length === 0) return []
  return db
    .selectFrom('passages')
    .select(['id', 'observation_id as observationId', 'part'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOfNumbers('observation_id', observationIds))
    .orderBy('observation_id')
    .orderBy('part')
    .execute()
}

export async function deletePassages(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('passages')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOfNumbers('id', ids))
    .execute()
}

export async function deleteVectors(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  passageIds: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('vectors')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOfNumbers('passage_id', passageIds))
    .execute()
}
