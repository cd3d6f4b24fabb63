import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import type { PassagesTable } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { FurtherPassage } from './index-rows.ts'
import type { WithMemory } from './search-index.repo.ts'

export async function insertPassages(db: Db, rows: readonly PassagesTable[]): Promise<void> {
  await dialectOf(db).insertRows(db, 'passages', rows)
}

/** The second and later passages of these observations, in order. */
export async function listFurtherPassages(
  db: Db,
  scope: WithMemory,
  observationIds: readonly number[],
): Promise<FurtherPassage[]> {
  if (observationIds.length === 0) return []
  if (scope.memory !== undefined) return scope.memory.furtherOf(observationIds)
  return db
    .selectFrom('passages')
    .select(['id', 'observation_id as observationId', 'part'])
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('observation_id', observationIds))
    .orderBy('observation_id')
    .orderBy('part')
    .execute()
}

/** The same for the observations numbered `first` to `last`. */
export const listFurtherPassagesBetween = prepared(
  (db: Db, { accountId, spaceId, first, last }: Scope & { first: number; last: number }) =>
    db
      .selectFrom('passages')
      .select(['id', 'observation_id as observationId', 'part'])
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .where('observation_id', '>=', first)
      .where('observation_id', '<=', last)
      .orderBy('observation_id')
      .orderBy('part'),
)

export async function deletePassages(db: Db, scope: Scope, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('passages').where(isIn(scope)).where(dialectOf(db).isOneOfNumbers('id', ids)).execute()
}

export async function deleteVectors(db: Db, scope: Scope, passageIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('vectors')
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('passage_id', passageIds))
    .execute()
}
