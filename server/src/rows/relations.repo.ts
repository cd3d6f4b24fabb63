import type { Relation } from '@loci/contract/relations'
import { sql } from 'kysely'
import { chunksOf } from '../ground/lib/chunks.ts'
import type { Cursor } from '../ground/lib/cursors.ts'
import { numberOf, numbersOf, toNumber } from '../ground/lib/ids.ts'
import { fromIso } from '../ground/lib/time.ts'
import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import { prepared } from '../store/prepared.ts'
import type { RelationsTable } from '../store/schema.ts'
import { isIn } from '../tenancy/scope.repo.ts'
import type { Scope } from '../tenancy/scope.ts'
import { toRelation } from './codec.ts'
import { rowColumns } from './columns.ts'

type Row = RelationsTable & { from_name: string; from_type: string; to_name: string; to_type: string }
const columns = rowColumns.relations.map((column) => `relations.${column}` as const)

/** Relations of the space with the names of their ends. */
export const relationsWithEnds = (db: Db, scope: Scope) =>
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
    .select(columns)
    .select(['source.name as from_name', 'source.type as from_type'])
    .select(['target.name as to_name', 'target.type as to_type'])
    .where('relations.account_id', '=', scope.accountId)
    .where('relations.space_id', '=', scope.spaceId)

type WithNumber = Scope & { number: number }
const selectRelation = prepared((db, values: WithNumber) =>
  relationsWithEnds(db, values).where('relations.id', '=', values.number),
)

export async function findRelation(db: Db, scope: Scope, id: string): Promise<Relation | undefined> {
  const number = toNumber('rel', id)
  if (number === undefined) return undefined
  const [row] = await selectRelation(db, { accountId: scope.accountId, spaceId: scope.spaceId, number })
  return row === undefined ? undefined : showRelation(row)
}

const selectByIds = prepared((db, values: Scope & { numbers: readonly number[] }) =>
  relationsWithEnds(db, values)
    .where(dialectOf(db).isOneOfNumbers('relations.id', values.numbers))
    .orderBy('relations.created_at', 'desc')
    .orderBy('relations.id', 'desc'),
)

/** The existing ones of these relations, newest first. */
export async function findRelationsByNumber(
  db: Db,
  { accountId, spaceId }: Scope,
  numbers: readonly number[],
): Promise<Relation[]> {
  if (numbers.length === 0) return []
  return (await selectByIds(db, { accountId, spaceId, numbers })).map(showRelation)
}

/** What identifies a relation: its two entities and its type. */
export type Ends = { fromId: string; toId: string; type: string }
const selectBetween = prepared((db, values: Scope & { from: number; to: number; type: string }) =>
  relationsWithEnds(db, values)
    .where('relations.from_id', '=', values.from)
    .where('relations.to_id', '=', values.to)
    .where('relations.type', '=', values.type),
)

export async function findRelationBetween(
  db: Db,
  { accountId, spaceId }: Scope,
  { fromId, toId, type }: Ends,
): Promise<Relation | undefined> {
  const [from, to] = [toNumber('ent', fromId), toNumber('ent', toId)]
  if (from === undefined || to === undefined) return undefined
  const [row] = await selectBetween(db, { accountId, spaceId, from, to, type })
  return row === undefined ? undefined : showRelation(row)
}

const endsPerLookUp = 500

/** The existing ones of the given relations. */
export async function findRelationsBetween(
  db: Db,
  scope: Scope,
  wanted: readonly Ends[],
): Promise<Relation[]> {
  const dialect = dialectOf(db)
  const found: Relation[] = []
  for (const chunk of chunksOf(wanted, endsPerLookUp)) {
    const rows = chunk.map(({ fromId, toId, type }) => ({
      from_id: numberOf('ent', fromId),
      to_id: numberOf('ent', toId),
      type,
    }))
    const condition = sql`stored.account_id = ${scope.accountId} and stored.space_id = ${scope.spaceId}
      and stored.from_id = wanted.from_id and stored.to_id = wanted.to_id and stored.type = wanted.type`
    const ids = await sql<{ id: number }>`
      select stored.id
      from ${dialect.rowsOf('wanted', rows)} ${dialect.lookUp('relations', 'stored', condition)}`.execute(db)
    const numbers = ids.rows.map(({ id }) => id)
    found.push(...(await findRelationsByNumber(db, scope, numbers)))
  }
  return found
}

/** Filter of a list of relations: at most one column's value, each with an index in time order. */
export type RelationFilter = { from?: number; to?: number; type?: string }

/** Newest first, after `cursor`; at most `limit`. */
export async function listRelationRows(
  db: Db,
  scope: Scope,
  page: { filter: RelationFilter; cursor: Cursor | undefined; limit: number },
): Promise<Relation[]> {
  const { filter, cursor } = page
  let query = relationsWithEnds(db, scope)
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
  return rows.map(showRelation)
}

/** Number of relations from or to an entity. */
export async function countRelationsOf(db: Db, scope: Scope, entity: number): Promise<number> {
  const { rows } = await sql<{ degree: number; own: number }>`
    select degree, (
      select count(*) from relations where account_id = ${scope.accountId} and space_id = ${scope.spaceId}
        and from_id = ${entity} and to_id = ${entity}
    ) as own
    from entities where account_id = ${scope.accountId} and space_id = ${scope.spaceId} and id = ${entity}`.execute(
    db,
  )
  const [found] = rows
  // Both ends of a relation to itself are in its degree.
  return found === undefined ? 0 : found.degree - Number(found.own)
}

/** Number of relations of some types from or to an entity. */
export async function countRelationsOfTypes(
  db: Db,
  scope: Scope,
  entity: number,
  types: readonly string[],
): Promise<number> {
  const count = (column: 'from_id' | 'to_id') =>
    db
      .selectFrom('relations')
      .select(sql<number>`count(*)`.as('count'))
      .where(isIn(scope))
      .where(column, '=', entity)
      .where('type', 'in', types)
      .$if(column === 'to_id', (query) => query.where('from_id', '<>', entity))
      .executeTakeFirstOrThrow()
  return Number((await count('from_id')).count) + Number((await count('to_id')).count)
}

type OfEntities = Scope & { entities: readonly number[] }
type End = 'from_id' | 'to_id'
const ofEntities = (end: End) => (db: Db, values: OfEntities) =>
  relationsWithEnds(db, values).where(dialectOf(db).isOneOfNumbers(`relations.${end}`, values.entities))
const selectOf = { from_id: prepared(ofEntities('from_id')), to_id: prepared(ofEntities('to_id')) }

/** Every relation from or to one of the entities, in order of insertion. */
export async function listRelationsOf(
  db: Db,
  scope: Scope,
  entityIds: readonly string[],
): Promise<Relation[]> {
  const entities = numbersOf('ent', entityIds)
  if (entities.length === 0) return []
  const values = { accountId: scope.accountId, spaceId: scope.spaceId, entities }
  const rows = [...(await selectOf.from_id(db, values)), ...(await selectOf.to_id(db, values))]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...byId.values()].sort((a, b) => a.id - b.id).map(showRelation)
}

type OfOneEnd = Scope & { entity: number; at: number; id: number; limit: number }
const ofOneEnd = (end: End) => (db: Db, values: OfOneEnd) =>
  relationsWithEnds(db, values)
    .where(`relations.${end}`, '=', values.entity)
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

/** Imports keep times, and some are before 1970. */
const beforeAll = Number.MIN_SAFE_INTEGER

/** Relations from (`from_id`) or to (`to_id`) an entity, oldest first, after a relation if given. */
export async function listRelationsAt(
  db: Db,
  { accountId, spaceId }: Scope,
  end: End,
  entityId: string,
  { after, limit }: { after: Relation | undefined; limit: number },
): Promise<Relation[]> {
  const start =
    after === undefined
      ? { at: beforeAll, id: 0 }
      : { at: fromIso(after.createdAt), id: numberOf('rel', after.id) }
  const entity = numberOf('ent', entityId)
  const rows = await selectOfOneEnd[end](db, { accountId, spaceId, entity, limit, ...start })
  return rows.map(showRelation)
}

/** A stored relation without the names of its ends. */
export type RelationNumbers = { id: number; fromId: number; toId: number; type: string }

type OfNumbers = Scope & { entities: readonly number[]; limit: number }
const selectNumbersOf = (end: End) =>
  prepared((db, values: OfNumbers) =>
    db
      .selectFrom('relations')
      .select(['id', 'from_id as fromId', 'to_id as toId', 'type'])
      .where(isIn(values))
      .where(dialectOf(db).isOneOfNumbers(end, values.entities))
      .limit(values.limit),
  )
const selectNumbers = { from_id: selectNumbersOf('from_id'), to_id: selectNumbersOf('to_id') }

/** Relations from or to one of the entities, at most `limit` of each direction. */
export async function listRelationNumbersOf(
  db: Db,
  { accountId, spaceId }: Scope,
  entities: readonly number[],
  limit: number,
): Promise<RelationNumbers[]> {
  const values = { accountId, spaceId, entities, limit }
  const rows = [...(await selectNumbers.from_id(db, values)), ...(await selectNumbers.to_id(db, values))]
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

export const showRelation = (row: Row): Relation =>
  toRelation(row, { name: row.from_name, type: row.from_type }, { name: row.to_name, type: row.to_type })
