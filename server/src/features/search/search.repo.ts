import type { Scope } from '../../auth/actor.ts'
import type { Db, Dialect } from '../../db/dialect.ts'
import type { PassagesTable } from '../../db/schema.ts'
import { spaceNumberOf } from '../../db/space-number.ts'
import type { Passage } from './ranking.ts'

/** Which passages may be found: of entities of these types, told at these times (milliseconds, `before` exclusive). */
export type PassageFilter = {
  types?: readonly string[] | undefined
  after?: number | undefined
  before?: number | undefined
}

const columns = [
  'p.id',
  'p.observation_id',
  'p.entity_id',
  'p.position',
  'p.created_at',
  'p.length',
  'p.terms',
] as const
type PassageRow = Omit<PassagesTable, 'space_number'>

const inScope = (db: Db, scope: Scope) =>
  db.selectFrom('passages as p').select(columns).where('p.space_number', '=', spaceNumberOf(scope))

function filtered(query: ReturnType<typeof inScope>, dialect: Dialect, scope: Scope, filter: PassageFilter) {
  const { types = [], after, before } = filter
  let result = query
  if (after !== undefined) result = result.where('p.created_at', '>=', after)
  if (before !== undefined) result = result.where('p.created_at', '<', before)
  if (types.length === 0) return result
  return result.where((eb) =>
    eb.exists(
      eb
        .selectFrom('entities as e')
        .select('e.id')
        .where('e.account_id', '=', scope.accountId)
        .where('e.space_id', '=', scope.spaceId)
        .whereRef('e.id', '=', 'p.entity_id')
        .where(dialect.isOneOf('e.type', types)),
    ),
  )
}

/** The passages with these ids, in no order. */
export async function findPassages(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly number[],
  filter: PassageFilter,
): Promise<Passage[]> {
  if (ids.length === 0) return []
  const query = inScope(db, scope).where(dialect.isOneOfNumbers('p.id', ids))
  const rows = await filtered(query, dialect, scope, filter).execute()
  return rows.map(toPassage)
}

export type PassageRange = { entityId: string; from: number; to: number }

/** The passages at these places of their entities, ends included. */
export async function findPassagesAt(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ranges: readonly PassageRange[],
  filter: PassageFilter,
): Promise<Passage[]> {
  if (ranges.length === 0) return []
  const places = dialect.rangesOf(
    ranges.map(({ entityId, from, to }) => ({ key: entityId, low: Math.max(0, from), high: to })),
  )
  // SQLite keeps the order of a cross join: range by range. Conditions joined with `or` would read the whole space.
  const query = db
    .selectFrom(places.as('place'))
    .crossJoin('passages as p')
    .select(columns)
    .where('p.space_number', '=', spaceNumberOf(scope))
    .whereRef('p.entity_id', '=', 'place.key')
    .whereRef('p.position', '>=', 'place.low')
    .whereRef('p.position', '<=', 'place.high')
  const rows = await filtered(query, dialect, scope, filter).execute()
  return rows.map(toPassage)
}

export type EntityLabel = { id: string; name: string; type: string }

export async function findEntityLabels(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly string[],
): Promise<EntityLabel[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('entities')
    .select(['id', 'name', 'type'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('id', ids))
    .execute()
}

/** The entities that passages belong to. */
export async function findLabelsOfPassages(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly number[],
): Promise<EntityLabel[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('passages as p')
    .innerJoin('entities as e', (join) =>
      join
        .on('e.account_id', '=', scope.accountId)
        .on('e.space_id', '=', scope.spaceId)
        .onRef('e.id', '=', 'p.entity_id'),
    )
    .select(['e.id', 'e.name', 'e.type'])
    .where('p.space_number', '=', spaceNumberOf(scope))
    .where(dialect.isOneOfNumbers('p.id', ids))
    .execute()
}

/** The relations that leave or reach one of the entities, at most `limit` in each direction. */
export async function findConnections(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly string[],
  limit: number,
): Promise<[string, string][]> {
  const of = (end: 'from_id' | 'to_id') =>
    db
      .selectFrom('relations')
      .select(['from_id', 'to_id'])
      .where('account_id', '=', scope.accountId)
      .where('space_id', '=', scope.spaceId)
      .where(dialect.isOneOf(end, entityIds))
      .limit(limit)
      .execute()
  const rows = [...(await of('from_id')), ...(await of('to_id'))]
  return rows.map((row) => [row.from_id, row.to_id])
}

export type RecentObservation = { id: string; entityId: string; content: string; createdAt: number }

/** The newest observations by order of insertion. */
export async function listRecentObservations(
  db: Db,
  scope: Scope,
  limit: number,
): Promise<RecentObservation[]> {
  const rows = await db
    .selectFrom('observations')
    .select(['id', 'entity_id', 'content', 'created_at'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
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
    position: row.position,
    createdAt: row.created_at,
    length: row.length,
    terms: row.terms,
  }
}

/** All passages of observations. */
export async function findPassagesOf(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  observationIds: readonly string[],
  filter: PassageFilter,
): Promise<Passage[]> {
  if (observationIds.length === 0) return []
  const query = inScope(db, scope).where(dialect.isOneOf('p.observation_id', observationIds))
  const rows = await filtered(query, dialect, scope, filter).execute()
  return rows.map(toPassage)
}
