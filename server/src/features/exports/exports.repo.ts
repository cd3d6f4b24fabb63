import type { Db } from '../../db/db.ts'
import { dialectOf } from '../../db/dialect-of.ts'
import type { Scope } from '../../scope.ts'

/** An entity to export; times in milliseconds. */
export type ExportedEntity = {
  id: number
  name: string
  /** A JSON list; null for none. */
  aliases: string | null
  type: string
  metadata: string
  observationsCount: number
  createdAt: number
  updatedAt: number
}

/** With the numbers and names of its ends. */
export type ExportedRelation = {
  id: number
  fromId: number
  toId: number
  from: string
  to: string
  type: string
  createdAt: number
}

export type ExportedObservation = {
  id: number
  entityId: number
  content: string
  metadata: string | null
  createdAt: number
  updatedAt: number | null
}

/** `chosen` limits the export to these entities and the relations between them. */
type Page = { after: number; upTo: number; limit: number; chosen?: readonly number[] | undefined }

/** The largest number in a table of the graph now; 0 if it is empty. */
export async function findLastId(db: Db, scope: Scope, table: 'entities' | 'relations'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
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
export async function listExportedEntities(db: Db, scope: Scope, page: Page): Promise<ExportedEntity[]> {
  return db
    .selectFrom('entities')
    .select(['id', 'name', 'aliases', 'type', 'metadata', 'observations_count as observationsCount'])
    .select(['created_at as createdAt', 'updated_at as updatedAt'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '>', page.after)
    .where('id', '<=', page.upTo)
    .$if(page.chosen !== undefined, (query) =>
      query.where(dialectOf(db).isOneOfNumbers('id', page.chosen ?? [])),
    )
    .orderBy('id')
    .limit(page.limit)
    .execute()
}

const observations = (db: Db, scope: Scope) =>
  db
    .selectFrom('observations')
    .select(['id', 'entity_id as entityId', 'content', 'metadata'])
    .select(['created_at as createdAt', 'updated_at as updatedAt'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)

/** All observations of some entities, in order of insertion. */
export async function listExportedObservations(
  db: Db,
  scope: Scope,
  entityIds: readonly number[],
): Promise<ExportedObservation[]> {
  if (entityIds.length === 0) return []
  return observations(db, scope)
    .where(dialectOf(db).isOneOfNumbers('entity_id', entityIds))
    .orderBy('entity_id')
    .orderBy('id')
    .execute()
}

/** Observations of one entity, in order of insertion. */
export async function listExportedObservationsOf(
  db: Db,
  scope: Scope,
  entityId: number,
  page: { after: number; limit: number },
): Promise<ExportedObservation[]> {
  return observations(db, scope)
    .where('entity_id', '=', entityId)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
}

/** In order of insertion; with `fromId` only those that begin at this entity. */
export async function listExportedRelations(
  db: Db,
  scope: Scope,
  page: Page & { fromId?: number },
): Promise<ExportedRelation[]> {
  return db
    .selectFrom('relations')
    .innerJoin('entities as source', (join) =>
      join
        .onRef('source.account_id', '=', 'relations.account_id')
        .onRef('source.space_id', '=', 'relations.space_id')
        .onRef('source.id', '=', 'relations.from_id'),
    )
    .innerJoin('entities as target', (join) =>
      join
        .onRef('target.account_id', '=', 'relations.account_id')
        .onRef('target.space_id', '=', 'relations.space_id')
        .onRef('target.id', '=', 'relations.to_id'),
    )
    .select(['relations.id', 'relations.from_id as fromId', 'relations.to_id as toId', 'relations.type'])
    .select(['source.name as from', 'target.name as to', 'relations.created_at as createdAt'])
    .where('relations.account_id', '=', scope.accountId)
    .where('relations.space_id', '=', scope.spaceId)
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
}
