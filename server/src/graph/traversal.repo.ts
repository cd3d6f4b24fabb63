import type { GraphEntity, GraphRelation } from '@loci/contract/graph'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { toId } from '../lib/ids.ts'
import { toIso } from '../lib/time.ts'
import type { Scope } from '../scope.ts'
import { numbersOf } from './numbers-of.ts'

/** An edge, seen from the entity that the traversal came from. */
export type TraversedEdge = { from: string; to: string }

/** At most `limit` steps from the entities, along relations in both directions. */
export async function listSteps(
  db: Db,
  scope: Scope,
  entityIds: readonly string[],
  limit: number,
): Promise<TraversedEdge[]> {
  const numbers = numbersOf('ent', entityIds)
  const along = (here: 'from_id' | 'to_id', there: 'from_id' | 'to_id') =>
    db
      .selectFrom('relations')
      .select([`${here} as from`, `${there} as to`])
      .where('account_id', '=', scope.accountId)
      .where('space_id', '=', scope.spaceId)
      .where(dialectOf(db).isOneOfNumbers(here, numbers))
      .limit(limit)
      .execute()
  const steps = [...(await along('from_id', 'to_id')), ...(await along('to_id', 'from_id'))]
  return steps.map(({ from, to }) => ({ from: toId('ent', from), to: toId('ent', to) }))
}

const entitiesOf = (db: Db, scope: Scope) =>
  db
    .selectFrom('entities')
    .select(['id', 'name', 'type', 'observations_count', 'created_at', 'updated_at'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)

type EntityRow = Awaited<ReturnType<ReturnType<typeof entitiesOf>['execute']>>[number]

const toGraphEntity = (row: EntityRow): GraphEntity => ({
  id: toId('ent', row.id),
  name: row.name,
  type: row.type,
  observationsCount: row.observations_count,
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
})

/** In the order of the ids; missing entities are left out. */
export async function findGraphEntities(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<GraphEntity[]> {
  const numbers = numbersOf('ent', ids)
  if (numbers.length === 0) return []
  const rows = await entitiesOf(db, scope).where(dialectOf(db).isOneOfNumbers('id', numbers)).execute()
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  return numbers.flatMap((number) => {
    const row = byNumber.get(number)
    return row === undefined ? [] : [toGraphEntity(row)]
  })
}

/** In order of insertion, after the number `after`. */
export async function listGraphEntities(db: Db, scope: Scope, page: Page): Promise<GraphEntity[]> {
  const { after, limit } = page
  const rows = await entitiesOf(db, scope).where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(toGraphEntity)
}

type Page = { after: number; limit: number }

const relationsOf = (db: Db, scope: Scope) =>
  db
    .selectFrom('relations')
    .select(['id', 'from_id', 'to_id', 'type', 'created_at'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)

type RelationRow = Awaited<ReturnType<ReturnType<typeof relationsOf>['execute']>>[number]

const toGraphRelation = (row: RelationRow): GraphRelation => ({
  id: toId('rel', row.id),
  fromEntityId: toId('ent', row.from_id),
  toEntityId: toId('ent', row.to_id),
  relationType: row.type,
  createdAt: toIso(row.created_at),
})

/** Relations with both ends among the entities, at most `limit`; only those from `sources`, if given. */
export async function listRelationsAmong(
  db: Db,
  scope: Scope,
  { ids, sources = ids, limit }: { ids: readonly string[]; sources?: readonly string[]; limit: number },
): Promise<GraphRelation[]> {
  const dialect = dialectOf(db)
  if (sources.length === 0) return []
  // Adding 0 keeps the second list out of the index lookup: one lookup per source, not per pair.
  const among = dialect.isOneOfNumbers(sql`to_id + 0`, numbersOf('ent', ids))
  const rows = await relationsOf(db, scope)
    .where(dialect.isOneOfNumbers('from_id', numbersOf('ent', sources)))
    .where(among)
    .limit(limit)
    .execute()
  return rows.map(toGraphRelation)
}

/** In order of insertion, after the number `after`. */
export async function listGraphRelations(db: Db, scope: Scope, page: Page): Promise<GraphRelation[]> {
  const { after, limit } = page
  const rows = await relationsOf(db, scope).where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(toGraphRelation)
}
