import { type ObservationState, toldStates } from '@loci/contract/observations'
import { type RawBuilder, sql } from 'kysely'
import { readIds } from '../../ground/lib/id-lists.ts'
import type { TimeBounds } from '../../ground/lib/time.ts'
import type { Db, NumberedRange } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { wasTrue } from '../analyse/times/fact-times.ts'
import type { EntityLabel, IndexedEntity, PassageRow } from './index-rows.ts'
import { readFields } from './read-fields.ts'
import type { WithMemory } from './search-index.repo.ts'

/**
 * Limits passages to entities of these types, to facts that were true or stored in these times (milliseconds, `before`
 * exclusive), and to these states; by default to what is current.
 */
export type PassageFilter = TimeBounds & {
  types?: readonly string[] | undefined
  storedAfter?: number | undefined
  storedBefore?: number | undefined
  states?: readonly ObservationState[] | undefined
}

export const isFiltered = ({ types = [], states: _, ...bounds }: PassageFilter) =>
  types.length > 0 || isBounded(bounds)

export const isBounded = ({ after, before, storedAfter, storedBefore }: PassageFilter) =>
  [after, before, storedAfter, storedBefore].some((bound) => bound !== undefined)

/** The condition of this filter on an observation `o` with entity `e`. */
function fits(
  dialect: Dialect,
  { types = [], storedAfter, storedBefore, states = toldStates }: PassageFilter,
  now: number,
): RawBuilder<unknown> {
  const conditions = [
    sql`(${sql.join([sql`false`, ...states.map((state) => inState[state](now))], sql` or `)})`,
  ]
  if (storedAfter !== undefined) conditions.push(sql`o.created_at >= ${storedAfter}`)
  if (storedBefore !== undefined) conditions.push(sql`o.created_at < ${storedBefore}`)
  if (types.length > 0) conditions.push(dialect.isOneOf('e.type', types))
  return sql.join(conditions, sql` and `)
}

const isToldAt = (now: number) =>
  sql`o.replaced_by is null and (o.expires_at is null or o.expires_at > ${now})`

/** The states of an observation `o`, as `stateOf` of the contract has them. */
const inState: Record<ObservationState, (now: number) => RawBuilder<unknown>> = {
  current: (now) => sql`${isToldAt(now)} and o.stale is null`,
  stale: (now) => sql`${isToldAt(now)} and o.stale is not null`,
  replaced: () => sql`o.replaced_by is not null`,
  expired: (now) => sql`o.replaced_by is null and o.expires_at <= ${now}`,
  // What is proposed is not in the graph.
  proposed: () => sql`1 = 0`,
}

const withEntity = (dialect: Dialect, scope: Scope) =>
  dialect.lookUp('entities', 'e', sql`${isIn(scope, 'e')} and e.id = o.entity_id`)

const observationColumns = sql`o.id, o.entity_id as "entityId", o.content, o.metadata, o.created_at as "createdAt",
  o.true_from as "trueFrom", o.true_until as "trueUntil", o.expires_at as "expiresAt", o.replaced_by as "replacedBy",
  o.stale, e.name, e.type`

type WithIds = Scope & { ids: readonly number[] }
type WithIdsNow = WithIds & { now: number }

const observationsWith = (values: WithIds, dialect: Dialect, condition: RawBuilder<unknown>) =>
  sql<PassageRow>`select ${observationColumns} from observations as o ${withEntity(dialect, values)}
    where ${isIn(values, 'o')} and ${dialect.isOneOfNumbers('o.id', values.ids)} and ${condition}`

const selectUnfiltered = prepared((db: Db, values: WithIdsNow) =>
  statement<PassageRow>(db, observationsWith(values, dialectOf(db), sql`(${isToldAt(values.now)})`)),
)

/** The observations with these numbers that pass the filter, in no particular order. */
export async function findPassageRows(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  ids: readonly number[],
  filter: PassageFilter,
  now: number,
): Promise<PassageRow[]> {
  if (ids.length === 0) return []
  const values = { accountId, spaceId, ids }
  if (!isFiltered(filter) && filter.states === undefined)
    return memory?.passageRows(ids, now) ?? selectUnfiltered(db, { ...values, now })
  const dialect = dialectOf(db)
  const { rows } = await observationsWith(values, dialect, fits(dialect, filter, now)).execute(db)
  return rows.filter((row) => wasTrue(row, filter))
}

/** A part of a long observation. */
export type PassagePart = { observationId: number; part: number }

const selectParts = prepared((db: Db, values: WithIds) =>
  db
    .selectFrom('passages')
    .select(['id', 'observation_id as observationId', 'part'])
    .where(isIn(values))
    .where(dialectOf(db).isOneOfNumbers('id', values.ids)),
)

/** The parts with these numbers, which the first parts, with the numbers of their observations, are not among. */
export async function findParts(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PassagePart>> {
  if (memory !== undefined) return memory.partsOf(ids)
  const rows = ids.length === 0 ? [] : await selectParts(db, { accountId, spaceId, ids })
  return new Map(rows.map(({ id, ...part }) => [id, part]))
}

const selectEntities = prepared((db: Db, values: WithIds) =>
  db
    .selectFrom('entities')
    .select(['id', 'name', 'type', 'aliases', 'metadata'])
    .where(isIn(values))
    .where(dialectOf(db).isOneOfNumbers('id', values.ids)),
)

/** The entities with these numbers, in no particular order. */
export async function findIndexedEntities(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  ids: readonly number[],
): Promise<IndexedEntity[]> {
  if (ids.length === 0) return []
  if (memory !== undefined) return memory.indexedEntities(ids)
  const rows = await selectEntities(db, { accountId, spaceId, ids })
  return rows.map((row) => ({ id: row.id, name: row.name, type: row.type, fields: readFields(row) }))
}

const selectFurther = prepared((db: Db, values: WithIds) =>
  db
    .selectFrom('passages')
    .select((eb) => ['observation_id as id', eb.fn.countAll<number>().as('count')])
    .where(isIn(values))
    .where(dialectOf(db).isOneOfNumbers('observation_id', values.ids))
    .groupBy('observation_id'),
)

/** Number of passages beyond the first for each observation; observations of one passage are omitted. */
export async function countFurtherPassages(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  ids: readonly number[],
): Promise<{ id: number; count: number }[]> {
  if (ids.length === 0) return []
  return memory?.countFurther(ids) ?? selectFurther(db, { accountId, spaceId, ids })
}

/** The observations of a time, newest first: those that say when they were true, and others that were stored then. */
export async function listObservationsBetween(
  db: Db,
  scope: Scope,
  { after, before, ...filter }: PassageFilter & { after: number; before: number },
  now: number,
  limit: number,
): Promise<number[]> {
  const dialect = dialectOf(db)
  const listed = (condition: RawBuilder<unknown>) => sql`select * from (
    select o.id, o.created_at from observations as o ${withEntity(dialect, scope)}
    where ${isIn(scope, 'o')} and ${fits(dialect, filter, now)} and ${condition}
    order by o.created_at desc, o.id desc limit ${limit}) as listed`
  // Texts sort like the times they mean; a year or month comes before its days.
  const [first, last] = [new Date(after).toISOString(), shortest(before)]
  const { rows } = await sql<{ id: number }>`
    ${listed(sql`o.true_from is null and o.created_at >= ${after} and o.created_at < ${before}`)} union all
    ${listed(sql`o.true_from < ${last} and (o.true_from >= ${first.slice(0, 10)}
      or o.true_from in (${first.slice(0, 4)}, ${first.slice(0, 7)}))`)}
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** A moment as the shortest text of a time that begins with it: what begins with it does not sort before it. */
export const shortest = (at: number) =>
  new Date(at).toISOString().replace(/(?:(?:-01)?-01)?T00:00:00\.000Z$/, '')

type OfEntities = Scope & { ranges: readonly NumberedRange[]; limit: number }

const selectFirstOf = prepared((db: Db, values: OfEntities) =>
  statement<{ key: number; ids: string | null }>(
    db,
    sql`select asked.key as key, (
      select string_agg(cast(id as text), ',') from (
        select o.id as id from observations as o
        where ${isIn(values, 'o')} and o.entity_id = asked.key order by o.id limit ${values.limit}
      ) as first
    ) as ids from ${dialectOf(db).numberedRangesOf(values.ranges)} as asked`,
  ),
)

/** The first observations of each entity, at most `limit`, in order. */
export async function listFirstObservations(
  db: Db,
  scope: WithMemory,
  entityIds: readonly number[],
  limit: number,
): Promise<number[][]> {
  if (scope.memory !== undefined) return scope.memory.firstOf(entityIds, limit)
  const rows = await readOf(selectFirstOf, db, dialectOf(db), scope, entityIds, limit)
  return [...rows.values()].map((ids) => [...ids])
}

const newestOf = (values: OfEntities) => sql`select o.id as id from observations as o
  where ${isIn(values, 'o')} and o.entity_id = asked.key order by o.id desc limit ${values.limit}`

/** One text per entity, since a row per id takes longer than finding it. */
const selectNewestOf = prepared((db: Db, values: OfEntities) =>
  statement<{ key: number; ids: string | null }>(
    db,
    sql`select asked.key as key, (
      select string_agg(cast(id as text), ',') from (${newestOf(values)}) as newest
    ) as ids from ${dialectOf(db).numberedRangesOf(values.ranges)} as asked`,
  ),
)
const selectNewestWithFurther = prepared((db: Db, values: OfEntities) =>
  statement<{ key: number; ids: string | null }>(
    db,
    sql`select asked.key as key, (
      select string_agg(cast(id as text), ',') from (
        select id from (${newestOf(values)}) as newest
        union all
        select p.id from (${newestOf(values)}) as newest
          ${dialectOf(db).lookUp('passages', 'p', sql`${isIn(values, 'p')} and p.observation_id = newest.id`)}
      ) as parts
    ) as ids from ${dialectOf(db).numberedRangesOf(values.ranges)} as asked`,
  ),
)

/** The passages of the last observations of each entity, at most `limit`; entities without any are omitted. */
export async function listPassageIdsOf(
  db: Db,
  scope: WithMemory & { hasFurther: boolean },
  entityIds: readonly number[],
  limit: number,
): Promise<ReadonlyMap<number, Uint32Array>> {
  if (scope.memory !== undefined) return scope.memory.newestPassagesOf(entityIds, limit)
  const select = scope.hasFurther ? selectNewestWithFurther : selectNewestOf
  return readOf(select, db, dialectOf(db), scope, entityIds, limit)
}

async function readOf(
  select: typeof selectNewestOf,
  db: Db,
  _dialect: Dialect,
  { accountId, spaceId }: Scope,
  entityIds: readonly number[],
  limit: number,
): Promise<Map<number, Uint32Array>> {
  if (entityIds.length === 0) return new Map()
  const ranges = entityIds.map((key) => ({ key, low: 0, high: 0 }))
  const rows = await select(db, { accountId, spaceId, ranges, limit })
  return new Map(rows.flatMap(({ key, ids }) => (ids === null ? [] : [[key, readIds(ids)] as const])))
}

const selectLabels = prepared((db, values: WithIds) =>
  db
    .selectFrom('entities')
    .select(['id', 'name', 'type'])
    .where(isIn(values))
    .where(dialectOf(db).isOneOfNumbers('id', values.ids)),
)

export async function findEntityLabels(
  db: Db,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
): Promise<EntityLabel[]> {
  return ids.length === 0 ? [] : selectLabels(db, { accountId, spaceId, ids })
}

/** The outgoing and incoming relations of the entities, at most `limit` in each direction. */
export async function findConnections(
  db: Db,
  scope: WithMemory,
  entityIds: readonly number[],
  limit: number,
): Promise<[number, number][]> {
  if (scope.memory !== undefined) return scope.memory.connections(entityIds, limit)
  const of = (end: 'from_id' | 'to_id') =>
    db
      .selectFrom('relations')
      .select(['from_id', 'to_id'])
      .where(isIn(scope))
      .where(dialectOf(db).isOneOfNumbers(end, entityIds))
      .limit(limit)
      .execute()
  const rows = [...(await of('from_id')), ...(await of('to_id'))]
  return rows.map((row) => [row.from_id, row.to_id])
}

export type RecentObservation = { id: number; entityId: number; content: string; createdAt: number }

/** The newest observations by order of insertion. */
export async function listRecentObservations(
  db: Db,
  scope: Scope,
  limit: number,
  { before }: { before?: number | undefined } = {},
): Promise<RecentObservation[]> {
  const rows = await db
    .selectFrom('observations')
    .select(['id', 'entity_id', 'content', 'created_at'])
    .where(isIn(scope))
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    entityId: row.entity_id,
    content: row.content,
    createdAt: row.created_at,
  }))
}
