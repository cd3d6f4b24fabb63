import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import { prepared } from '../store/prepared.ts'
import type { ObservationsTable } from '../store/schema.ts'
import { isIn } from '../tenancy/scope.repo.ts'
import type { Scope } from '../tenancy/scope.ts'
import { countedColumns } from './codec.ts'

/** The part of an observation that is indexed or counted as bytes, and what it replaces. */
export type ObservationText = Pick<ObservationsTable, (typeof texts)[number]>
const texts = [
  'id',
  ...countedColumns.observations,
  'replaces',
  'replaced_by',
  'true_from',
  'created_at',
] as const

type OfEntities = Scope & { entities: readonly number[]; limit: number }
const selectTexts = prepared((db, values: OfEntities) =>
  db
    .selectFrom('observations')
    .select(texts)
    .where(isIn(values))
    .where(dialectOf(db).isOneOfNumbers('entity_id', values.entities))
    .orderBy('entity_id')
    .orderBy('id')
    .limit(values.limit),
)

/** Observations of these entities, at most `limit`. */
export async function listObservationTexts(
  db: Db,
  { accountId, spaceId }: Scope,
  entities: readonly number[],
  limit: number,
): Promise<ObservationText[]> {
  return selectTexts(db, { accountId, spaceId, entities, limit })
}

type TextPage = Scope & { entity: number; after: number; limit: number }
const selectTextsAfter = prepared((db, values: TextPage) =>
  db
    .selectFrom('observations')
    .select(texts)
    .where(isIn(values))
    .where('entity_id', '=', values.entity)
    .where('id', '>', values.after)
    .orderBy('id')
    .limit(values.limit),
)

/** Observations of an entity in order of number, after the number `after`. */
export async function listObservationTextsAfter(
  db: Db,
  { accountId, spaceId }: Scope,
  { entity, after, limit }: { entity: number; after: number; limit: number },
): Promise<ObservationText[]> {
  return selectTextsAfter(db, { accountId, spaceId, entity, after, limit })
}
