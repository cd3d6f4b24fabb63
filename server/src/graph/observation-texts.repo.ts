import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { prepared } from '../db/prepared.ts'
import type { Scope } from '../scope.ts'

/** The indexed part of an observation, which is also counted as bytes. */
export type ObservationText = { id: number; content: string; metadata: string | null }

type OfEntities = Scope & { entities: readonly number[]; limit: number }
const selectTexts = prepared((db, values: OfEntities) =>
  db
    .selectFrom('observations')
    .select(['id', 'content', 'metadata'])
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
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
    .select(['id', 'content', 'metadata'])
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
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
