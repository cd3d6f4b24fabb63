import type { ExpressionBuilder } from 'kysely'
import type { Scope } from '../../auth/actor.ts'
import type { Db, Dialect, KeyedRange } from '../../db/dialect.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database, PassagesTable } from '../../db/schema.ts'
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

export const isFiltered = ({ types = [], after, before }: PassageFilter) =>
  types.length > 0 || after !== undefined || before !== undefined

function fits(
  eb: ExpressionBuilder<Database & { p: PassagesTable }, 'p'>,
  dialect: Dialect,
  scope: Scope,
  { types = [], after, before }: PassageFilter,
) {
  const conditions = []
  if (after !== undefined) conditions.push(eb('p.created_at', '>=', after))
  if (before !== undefined) conditions.push(eb('p.created_at', '<', before))
  if (types.length > 0) {
    const ofType = eb
      .selectFrom('entities as typed')
      .select('typed.id')
      .where('typed.account_id', '=', scope.accountId)
      .where('typed.space_id', '=', scope.spaceId)
      .whereRef('typed.id', '=', 'p.entity_id')
      .where(dialect.isOneOf('typed.type', types))
    conditions.push(eb.exists(ofType))
  }
  return eb.and(conditions)
}

export type EntityLabel = { id: string; name: string; type: string }

/** Passages and the entities that they, and what else was asked for, belong to. */
export type LabelledPassages = { passages: Passage[]; names: EntityLabel[]; labels: Map<string, EntityLabel> }

type WithIds = Scope & { ids: readonly number[] }
const withLabels = (db: Db, values: WithIds, dialect: Dialect) =>
  inScope(db, values)
    .innerJoin('entities as e', (join) =>
      join
        .on('e.account_id', '=', values.accountId)
        .on('e.space_id', '=', values.spaceId)
        .onRef('e.id', '=', 'p.entity_id'),
    )
    .select(['e.name', 'e.type'])
    .where(dialect.isOneOfNumbers('p.id', values.ids))
const selectWithLabels = prepared(withLabels)

/** The passages with these ids, in no order; those that are the names of entities (`names`) whatever the filter. */
export async function findPassages(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
  filter: PassageFilter,
): Promise<LabelledPassages> {
  const found: LabelledPassages = { passages: [], names: [], labels: new Map() }
  if (ids.length === 0) return found
  const values = { accountId, spaceId, ids }
  const rows = isFiltered(filter)
    ? await withLabels(db, values, dialect)
        .where((eb) => eb.or([eb('p.observation_id', '=', ''), fits(eb, dialect, values, filter)]))
        .execute()
    : await selectWithLabels(db, values, dialect)
  for (const row of rows) {
    const label = found.labels.get(row.entity_id) ?? { id: row.entity_id, name: row.name, type: row.type }
    found.labels.set(label.id, label)
    if (row.observation_id === '') found.names.push(label)
    else found.passages.push(toPassage(row))
  }
  return found
}

export type PassageRange = { entityId: string; from: number; to: number }

type WithRanges = Scope & { ranges: readonly KeyedRange[] }
// SQLite keeps the order of a cross join: range by range. Conditions joined with `or` would read the whole space.
const atPlaces = (db: Db, values: WithRanges, dialect: Dialect) =>
  db
    .selectFrom(dialect.rangesOf(values.ranges).as('place'))
    .crossJoin('passages as p')
    .select(columns)
    .where('p.space_number', '=', spaceNumberOf(values))
    .whereRef('p.entity_id', '=', 'place.key')
    .whereRef('p.position', '>=', 'place.low')
    .whereRef('p.position', '<=', 'place.high')
const selectAtPlaces = prepared(atPlaces)

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
    ? await atPlaces(db, values, dialect)
        .where((eb) => fits(eb, dialect, values, filter))
        .execute()
    : await selectAtPlaces(db, values, dialect)
  return rows.map(toPassage)
}

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

type OfPassages = Scope & { ids: readonly number[] }
const selectLabelsOfPassages = prepared((db, values: OfPassages, dialect: Dialect) =>
  db
    .selectFrom('passages as p')
    .innerJoin('entities as e', (join) =>
      join
        .on('e.account_id', '=', values.accountId)
        .on('e.space_id', '=', values.spaceId)
        .onRef('e.id', '=', 'p.entity_id'),
    )
    .select(['e.id', 'e.name', 'e.type'])
    .where('p.space_number', '=', spaceNumberOf(values))
    .where(dialect.isOneOfNumbers('p.id', values.ids)),
)

/** The entities that passages belong to. */
export async function findLabelsOfPassages(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly number[],
): Promise<EntityLabel[]> {
  return ids.length === 0 ? [] : selectLabelsOfPassages(db, { ...scope, ids }, dialect)
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
  const rows = await inScope(db, scope)
    .where(dialect.isOneOf('p.observation_id', observationIds))
    .where((eb) => fits(eb, dialect, scope, filter))
    .execute()
  return rows.map(toPassage)
}
