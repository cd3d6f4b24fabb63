import { type RawBuilder, sql } from 'kysely'
import type { Db, NumberedRange } from '../../db/db.ts'
import type { Dialect } from '../../db/dialect.ts'
import { prepared, statement } from '../../db/prepared.ts'
import type { PassagesTable } from '../../db/schema.ts'
import type { Scope } from '../../scope.ts'
import { namePosition, noObservation } from '../../search-index/passages.repo.ts'
import { type EntityFields, toFields } from '../../search-index/passages.ts'
import { readIds } from '../../search-index/posting-lists.ts'
import type { Passage } from './count-words.ts'

/** Which passages may be found: of entities of these types, told at these times (milliseconds, `before` exclusive). */
export type PassageFilter = {
  types?: readonly string[] | undefined
  after?: number | undefined
  before?: number | undefined
}

export const isFiltered = ({ types = [], after, before }: PassageFilter) =>
  types.length > 0 || after !== undefined || before !== undefined

type PassageRow = Omit<PassagesTable, 'account_id' | 'space_id'>
type LabelledRow = PassageRow & { name: string; type: string }

const columns = sql`p.id, p.observation_id, p.entity_id, p.ordinal, p.position, p.created_at, p.length, p.pieces, p.terms`
const isInSpace = ({ accountId, spaceId }: Scope) =>
  sql`p.account_id = ${accountId} and p.space_id = ${spaceId}`

/** What a passage of this filter meets; its entity is `e`. */
function fits(dialect: Dialect, { types = [], after, before }: PassageFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (after !== undefined) conditions.push(sql`p.created_at >= ${after}`)
  if (before !== undefined) conditions.push(sql`p.created_at < ${before}`)
  if (types.length > 0) conditions.push(dialect.isOneOf('e.type', types))
  return sql.join(conditions, sql` and `)
}

const withEntity = (dialect: Dialect, { accountId, spaceId }: Scope) =>
  dialect.lookUp(
    'entities',
    'e',
    sql`e.account_id = ${accountId} and e.space_id = ${spaceId} and e.id = p.entity_id`,
  )

export type EntityLabel = { id: number; name: string; type: string }
/** An entity with what it is found by besides its observations. */
export type IndexedEntity = EntityLabel & { fields: EntityFields }

/** Passages of observations, the entities that were among what was asked for, and the entities of all. */
export type LabelledPassages = {
  passages: Passage[]
  entities: IndexedEntity[]
  labels: Map<number, EntityLabel>
}

type WithIds = Scope & { ids: readonly number[] }
const withIds = (db: Db, values: WithIds, dialect: Dialect, condition = sql`true`) =>
  statement<LabelledRow>(
    db,
    sql`select ${columns}, e.name, e.type from passages as p ${withEntity(dialect, values)}
      where ${isInSpace(values)} and ${dialect.isOneOfNumbers('p.id', values.ids)} and ${condition}`,
  )
const selectWithIds = prepared((db: Db, values: WithIds, dialect: Dialect) => withIds(db, values, dialect))

/** The passages with these ids, in no order; those of entities as a whole whatever the filter. */
export async function findPassages(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
  filter: PassageFilter,
): Promise<LabelledPassages> {
  const found: LabelledPassages = { passages: [], entities: [], labels: new Map() }
  if (ids.length === 0) return found
  const values = { accountId, spaceId, ids }
  const rows = isFiltered(filter)
    ? (
        await db.executeQuery(
          withIds(
            db,
            values,
            dialect,
            sql`(p.observation_id = ${noObservation} or (${fits(dialect, filter)}))`,
          ).compile(),
        )
      ).rows
    : await selectWithIds(db, values, dialect)
  for (const row of rows) {
    const label = found.labels.get(row.entity_id) ?? { id: row.entity_id, name: row.name, type: row.type }
    found.labels.set(label.id, label)
    if (row.observation_id === noObservation) found.entities.push({ ...label, fields: toFields(row.terms) })
    else found.passages.push(toPassage(row))
  }
  return found
}

export type PassageRange = { entityId: number; from: number; to: number }

type WithRanges = Scope & { ranges: readonly NumberedRange[] }
const atPlaces = (db: Db, values: WithRanges, dialect: Dialect, more = sql``) =>
  statement<PassageRow>(
    db,
    sql`select ${columns} from ${dialect.numberedRangesOf(values.ranges)} as place ${dialect.lookUp(
      'passages',
      'p',
      sql`${isInSpace(values)} and p.entity_id = place.key and p.position between place.low and place.high`,
    )} ${more}`,
  )
const selectAtPlaces = prepared((db: Db, values: WithRanges, dialect: Dialect) =>
  atPlaces(db, values, dialect),
)

/** The passages at these places of their entities, ends included. */
export async function findPassagesAt(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  places: readonly PassageRange[],
  filter: PassageFilter,
): Promise<Passage[]> {
  if (places.length === 0) return []
  const ranges = places.map(({ entityId, from, to }) => ({ key: entityId, low: Math.max(0, from), high: to }))
  const values = { accountId, spaceId, ranges }
  const rows = isFiltered(filter)
    ? (
        await db.executeQuery(
          atPlaces(
            db,
            values,
            dialect,
            sql`${withEntity(dialect, values)} where ${fits(dialect, filter)}`,
          ).compile(),
        )
      ).rows
    : await selectAtPlaces(db, values, dialect)
  return rows.map(toPassage)
}

/** The passages of observations told between two moments, newest first; what has several begins with the last. */
export async function listPassagesBetween(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  filter: PassageFilter,
  limit: number,
): Promise<Passage[]> {
  const { rows } = await sql<PassageRow>`select ${columns} from passages as p ${withEntity(dialect, scope)}
    where ${isInSpace(scope)} and p.observation_id <> ${noObservation} and ${fits(dialect, filter)}
    order by p.created_at desc, p.id desc limit ${limit}`.execute(db)
  return rows.map(toPassage)
}

type OfEntities = Scope & { ranges: readonly NumberedRange[]; limit: number }
/** As one text an entity: a row for each would take longer than to find it. */
const selectIdsOf = prepared((db: Db, values: OfEntities, dialect: Dialect) =>
  statement<{ key: number; ids: string | null }>(
    db,
    sql`select place.key as key, (
      select string_agg(cast(id as text), ',') from (
        select p.id as id from passages as p
        where ${isInSpace(values)} and p.entity_id = place.key and p.position > ${namePosition}
        order by p.position desc limit ${values.limit}
      ) as newest
    ) as ids from ${dialect.numberedRangesOf(values.ranges)} as place`,
  ),
)

/** The ids of the last passages of each entity, at most `limit`; entities without observations are left out. */
export async function listPassageIdsOf(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  entityIds: readonly number[],
  limit: number,
): Promise<Map<number, Uint32Array>> {
  if (entityIds.length === 0) return new Map()
  const ranges = entityIds.map((key) => ({ key, low: 0, high: 0 }))
  const rows = await selectIdsOf(db, { accountId, spaceId, ranges, limit }, dialect)
  return new Map(rows.flatMap(({ key, ids }) => (ids === null ? [] : [[key, readIds(ids)] as const])))
}

const selectLabels = prepared((db, values: WithIds, dialect: Dialect) =>
  db
    .selectFrom('entities')
    .select(['id', 'name', 'type'])
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
    .where(dialect.isOneOfNumbers('id', values.ids)),
)

export async function findEntityLabels(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
): Promise<EntityLabel[]> {
  return ids.length === 0 ? [] : selectLabels(db, { accountId, spaceId, ids }, dialect)
}

/** The relations that leave or reach one of the entities, at most `limit` in each direction. */
export async function findConnections(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly number[],
  limit: number,
): Promise<[number, number][]> {
  const of = (end: 'from_id' | 'to_id') =>
    db
      .selectFrom('relations')
      .select(['from_id', 'to_id'])
      .where('account_id', '=', scope.accountId)
      .where('space_id', '=', scope.spaceId)
      .where(dialect.isOneOfNumbers(end, entityIds))
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
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
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

function toPassage(row: PassageRow): Passage {
  return {
    id: row.id,
    observationId: row.observation_id,
    entityId: row.entity_id,
    ordinal: row.ordinal,
    position: row.position,
    createdAt: row.created_at,
    length: row.length,
    pieces: row.pieces,
    terms: row.terms,
  }
}

/** All passages of observations. */
export async function findPassagesOf(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  observationIds: readonly number[],
  filter: PassageFilter,
): Promise<Passage[]> {
  if (observationIds.length === 0) return []
  const { rows } = await sql<PassageRow>`select ${columns} from passages as p ${withEntity(dialect, scope)}
    where ${isInSpace(scope)} and ${dialect.isOneOfNumbers('p.observation_id', observationIds)}
      and ${fits(dialect, filter)}`.execute(db)
  return rows.map(toPassage)
}
