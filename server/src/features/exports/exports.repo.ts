import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import { mapPaced } from '../../ground/lib/pace.ts'
import { type StoredObservation, showEntity, showObservation, toStoredObservation } from '../../rows/codec.ts'
import { rowColumns } from '../../rows/columns.ts'
import { relationsWithEnds, showRelation } from '../../rows/relations.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** `chosen` limits the export to these entities and the relations between them. */
type Page = { after: number; upTo: number; limit: number; chosen?: readonly number[] | undefined }

/** The largest number in a table of the graph now; 0 if it is empty. */
export async function findLastId(db: Db, scope: Scope, table: 'entities' | 'relations'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where(isIn(scope))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

/** The account's next number. */
export async function getNextNumber(db: Db, { accountId }: Scope): Promise<number> {
  const { next_id } = await db
    .selectFrom('accounts')
    .select('next_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return next_id
}

/** In order of insertion. */
export async function listExportedEntities(db: Db, scope: Scope, page: Page): Promise<Entity[]> {
  const rows = await db
    .selectFrom('entities')
    .select(rowColumns.entities)
    .where(isIn(scope))
    .where('id', '>', page.after)
    .where('id', '<=', page.upTo)
    .$if(page.chosen !== undefined, (query) =>
      query.where(dialectOf(db).isOneOfNumbers('id', page.chosen ?? [])),
    )
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return mapPaced(rows, showEntity)
}

const observations = (db: Db, scope: Scope) =>
  db.selectFrom('observations').select(rowColumns.observations).where(isIn(scope))

/** All observations of some entities, in order of insertion. */
export async function listExportedObservations(
  db: Db,
  scope: Scope,
  entityIds: readonly number[],
): Promise<StoredObservation[]> {
  if (entityIds.length === 0) return []
  const rows = await observations(db, scope)
    .where(dialectOf(db).isOneOfNumbers('entity_id', entityIds))
    .orderBy('entity_id')
    .orderBy('id')
    .execute()
  return mapPaced(rows, toStoredObservation)
}

/** Observations of one entity, in order of insertion. */
export async function listExportedObservationsOf(
  db: Db,
  scope: Scope,
  entityId: number,
  page: { after: number; limit: number },
): Promise<Observation[]> {
  const rows = await observations(db, scope)
    .where('entity_id', '=', entityId)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return mapPaced(rows, showObservation)
}

/** In order of insertion; with `fromId` only those that begin at this entity. */
export async function listExportedRelations(
  db: Db,
  scope: Scope,
  page: Page & { fromId?: number },
): Promise<Relation[]> {
  const rows = await relationsWithEnds(db, scope)
    .where('relations.id', '>', page.after)
    .$if(page.fromId !== undefined, (query) => query.where('relations.from_id', '=', page.fromId ?? 0))
    .where('relations.id', '<=', page.upTo)
    .$if(page.chosen !== undefined, (query) =>
      query
        .where(dialectOf(db).isOneOfNumbers('relations.from_id', page.chosen ?? []))
        .where(dialectOf(db).isOneOfNumbers('relations.to_id', page.chosen ?? [])),
    )
    .orderBy('relations.id')
    .limit(page.limit)
    .execute()
  return rows.map(showRelation)
}
