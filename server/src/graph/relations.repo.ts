import type { Relation } from '@loci/contract/relations'
import { sql } from 'kysely'
import type { Scope } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { Cursor } from '../lib/cursors.ts'
import { fromIso, toIso } from '../lib/time.ts'

/** A relation that is about to be stored; time in milliseconds. */
export type NewRelation = { id: string; fromId: string; toId: string; type: string; createdAt: number }

type Row = {
  id: string
  from_id: string
  to_id: string
  type: string
  created_at: number
  from_name: string
  from_type: string
  to_name: string
  to_type: string
}

/** Relations of the space with the names of their ends. */
const inScope = (db: Db, scope: Scope) =>
  db
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
    .select([
      'relations.id',
      'relations.from_id',
      'relations.to_id',
      'relations.type',
      'relations.created_at',
      'source.name as from_name',
      'source.type as from_type',
      'target.name as to_name',
      'target.type as to_type',
    ])
    .where('relations.account_id', '=', scope.accountId)
    .where('relations.space_id', '=', scope.spaceId)

type WithId = Scope & { id: string }
const selectRelation = prepared((db, values: WithId) =>
  inScope(db, values).where('relations.id', '=', values.id),
)

export async function findRelation(db: Db, scope: Scope, id: string): Promise<Relation | undefined> {
  const [row] = await selectRelation(db, { ...scope, id })
  return row === undefined ? undefined : toRelation(row)
}

const selectByIds = prepared((db, values: Scope & { ids: readonly string[] }, dialect: Dialect) =>
  inScope(db, values)
    .where(dialect.isOneOf('relations.id', values.ids))
    .orderBy('relations.created_at', 'desc')
    .orderBy('relations.id', 'desc'),
)

/** Those of the ids that are there, newest first. */
export async function findRelationsById(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  ids: readonly string[],
): Promise<Relation[]> {
  if (ids.length === 0) return []
  return (await selectByIds(db, { accountId, spaceId, ids }, dialect)).map(toRelation)
}

type Ends = { fromId: string; toId: string; type: string }
const selectBetween = prepared((db, values: Scope & Ends) =>
  inScope(db, values)
    .where('relations.from_id', '=', values.fromId)
    .where('relations.to_id', '=', values.toId)
    .where('relations.type', '=', values.type),
)

export async function findRelationBetween(db: Db, scope: Scope, ends: Ends): Promise<Relation | undefined> {
  const [row] = await selectBetween(db, { ...scope, ...ends })
  return row === undefined ? undefined : toRelation(row)
}

/** Those of the given relations that exist. */
export async function findRelationsBetween(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  wanted: readonly Ends[],
): Promise<Ends[]> {
  if (wanted.length === 0) return []
  const rows = wanted.map(({ fromId, toId, type }) => ({ from_id: fromId, to_id: toId, type }))
  const found = await sql<Ends>`
    select relations.from_id as "fromId", relations.to_id as "toId", relations.type
    from ${dialect.rowsOf('wanted', rows)} cross join relations
    where relations.account_id = ${scope.accountId} and relations.space_id = ${scope.spaceId}
      and relations.from_id = wanted.from_id and relations.to_id = wanted.to_id and relations.type = wanted.type`.execute(
    db,
  )
  return found.rows
}

/** Those of the ids that relations have already. */
export async function findRelationIds(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('relations')
    .select('id')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('id', ids))
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** What a page of relations is cut from: one column's value at most, each with an index in the order of time. */
export type RelationFilter = { from?: string; to?: string; type?: string }

/** Newest first, after `cursor`; at most `limit`. */
export async function listRelations(
  db: Db,
  scope: Scope,
  page: { filter: RelationFilter; cursor: Cursor | undefined; limit: number },
): Promise<Relation[]> {
  const { filter, cursor } = page
  let query = inScope(db, scope)
  if (filter.from !== undefined) query = query.where('relations.from_id', '=', filter.from)
  if (filter.to !== undefined) query = query.where('relations.to_id', '=', filter.to)
  if (filter.type !== undefined) query = query.where('relations.type', '=', filter.type)
  if (cursor !== undefined) {
    query = query.where((eb) =>
      eb(eb.refTuple('relations.created_at', 'relations.id'), '<', eb.tuple(cursor.at, cursor.id)),
    )
  }
  const rows = await query
    .orderBy('relations.created_at', 'desc')
    .orderBy('relations.id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toRelation)
}

/** How many relations begin or end at an entity, by type if given. */
export async function countRelationsOf(
  db: Db,
  scope: Scope,
  entityId: string,
  types: string[] | undefined,
): Promise<number> {
  const count = (column: 'from_id' | 'to_id') =>
    db
      .selectFrom('relations')
      .select(sql<number>`count(*)`.as('count'))
      .where('account_id', '=', scope.accountId)
      .where('space_id', '=', scope.spaceId)
      .where(column, '=', entityId)
      .$if(types !== undefined, (query) => query.where('type', 'in', types!))
      .$if(column === 'to_id', (query) => query.where('from_id', '<>', entityId))
      .executeTakeFirstOrThrow()
  return Number((await count('from_id')).count) + Number((await count('to_id')).count)
}

type OfEntities = Scope & { entityIds: readonly string[] }
type End = 'from_id' | 'to_id'
const ofEntities = (end: End) => (db: Db, values: OfEntities, dialect: Dialect) =>
  inScope(db, values).where(dialect.isOneOf(`relations.${end}`, values.entityIds))
const someOfEntities = (end: End) => (db: Db, values: OfEntities & { limit: number }, dialect: Dialect) =>
  ofEntities(end)(db, values, dialect)
    .orderBy(`relations.${end}`)
    .orderBy('relations.created_at')
    .orderBy('relations.id')
    .limit(values.limit)
const selectAllOf = { from_id: prepared(ofEntities('from_id')), to_id: prepared(ofEntities('to_id')) }
const selectSomeOf = {
  from_id: prepared(someOfEntities('from_id')),
  to_id: prepared(someOfEntities('to_id')),
}

/**
 * Every relation that begins or ends at one of the entities, in order of insertion. With a limit, no more than that of
 * those that begin and of those that end there.
 */
export async function listRelationsOf(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly string[],
  limit?: number,
): Promise<Relation[]> {
  if (entityIds.length === 0) return []
  const select = (end: End) =>
    limit === undefined
      ? selectAllOf[end](db, { ...scope, entityIds }, dialect)
      : selectSomeOf[end](db, { ...scope, entityIds, limit }, dialect)
  const rows = [...(await select('from_id')), ...(await select('to_id'))]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map(toRelation)
}

type OfOneEnd = Scope & { entityId: string; at: number; id: string; limit: number }
const ofOneEnd = (end: End) => (db: Db, values: OfOneEnd) =>
  inScope(db, values)
    .where(`relations.${end}`, '=', values.entityId)
    .where((eb) =>
      eb(eb.refTuple('relations.created_at', 'relations.id'), '>', eb.tuple(values.at, values.id)),
    )
    .orderBy('relations.created_at')
    .orderBy('relations.id')
    .limit(values.limit)
const selectOfOneEnd = {
  from_id: prepared(ofOneEnd('from_id')),
  to_id: prepared(ofOneEnd('to_id')),
}

/** Relations that begin (`from_id`) or end (`to_id`) at an entity, oldest first, after a relation if given. */
export async function listRelationsAt(
  db: Db,
  { accountId, spaceId }: Scope,
  end: End,
  entityId: string,
  { after, limit }: { after: Relation | undefined; limit: number },
): Promise<Relation[]> {
  const start = after === undefined ? { at: -1, id: '' } : { at: fromIso(after.createdAt), id: after.id }
  const rows = await selectOfOneEnd[end](db, { accountId, spaceId, entityId, limit, ...start })
  return rows.map(toRelation)
}

/** In order of insertion, after the id `after`. */
export async function listRelationsInOrder(
  db: Db,
  scope: Scope,
  after: string,
  limit: number,
): Promise<Relation[]> {
  const rows = await inScope(db, scope)
    .where('relations.id', '>', after)
    .orderBy('relations.id')
    .limit(limit)
    .execute()
  return rows.map(toRelation)
}

export async function insertRelations(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  relations: readonly NewRelation[],
): Promise<void> {
  const rows = relations.map((relation) => ({
    account_id: scope.accountId,
    space_id: scope.spaceId,
    id: relation.id,
    from_id: relation.fromId,
    to_id: relation.toId,
    type: relation.type,
    created_at: relation.createdAt,
  }))
  await dialect.insertRows(db, 'relations', rows)
}

export async function updateRelationType(db: Db, scope: Scope, id: string, type: string): Promise<void> {
  await db
    .updateTable('relations')
    .set({ type })
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteRelations(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('relations')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('id', ids))
    .execute()
}

function toRelation(row: Row): Relation {
  return {
    id: row.id,
    fromEntityId: row.from_id,
    toEntityId: row.to_id,
    type: row.type,
    relationType: row.type,
    createdAt: toIso(row.created_at),
    fromEntity: { name: row.from_name, type: row.from_type },
    toEntity: { name: row.to_name, type: row.to_type },
  }
}
