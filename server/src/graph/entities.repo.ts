import type { Entity } from '@loci/contract/entities'
import type { Scope } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { EntitiesTable } from '../db/schema.ts'
import type { Cursor } from '../lib/cursors.ts'
import { toIso } from '../lib/time.ts'

/** An entity without its observations, with what its contract shape leaves out. */
export type StoredEntity = Entity & { version: number; degree: number }

export const firstVersion = 1

/** An entity that is about to be stored; times in milliseconds. */
export type NewEntity = {
  id: string
  name: string
  type: string
  metadata: Record<string, unknown>
  observationsCount: number
  createdAt: number
  updatedAt: number
}

const inScope = (db: Db, scope: Scope) =>
  db
    .selectFrom('entities')
    .selectAll()
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)

type WithId = Scope & { id: string }
const selectEntity = prepared((db, values: WithId) => inScope(db, values).where('id', '=', values.id))

export async function findEntity(db: Db, scope: Scope, id: string): Promise<StoredEntity | undefined> {
  const [row] = await selectEntity(db, { accountId: scope.accountId, spaceId: scope.spaceId, id })
  return row === undefined ? undefined : toEntity(row)
}

type WithTexts = Scope & { texts: readonly string[] }
const selectById = prepared((db, values: WithTexts, dialect: Dialect) =>
  inScope(db, values).where(dialect.isOneOf('id', values.texts)).orderBy('id'),
)
const selectOfName = prepared((db, values: Scope & { name: string }) =>
  inScope(db, values).where('name', '=', values.name),
)
const selectByName = prepared((db, values: WithTexts, dialect: Dialect) =>
  inScope(db, values).where(dialect.isOneOf('name', values.texts)).orderBy('id'),
)

/** In order of insertion. */
export async function findEntitiesById(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly string[],
): Promise<StoredEntity[]> {
  if (ids.length === 0) return []
  return (await selectById(db, { ...scope, texts: ids }, dialect)).map(toEntity)
}

/** What relations need of their ends, by name. */
export async function findEndsByName(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, { id: string; name: string; type: string }>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('entities')
    .select(['id', 'name', 'type'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('name', names))
    .execute()
  return new Map(rows.map((row) => [row.name, row]))
}

/** In order of insertion. */
export async function findEntitiesByName(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  names: readonly string[],
): Promise<StoredEntity[]> {
  const [name] = names
  if (name === undefined) return []
  // As a list it would be made JSON and read again.
  const rows =
    names.length === 1
      ? await selectOfName(db, { ...scope, name })
      : await selectByName(db, { ...scope, texts: names }, dialect)
  return rows.map(toEntity)
}

type Page = Scope & Cursor & { type: string; limit: number }
const newestFirst = (db: Db, values: Page) =>
  inScope(db, values).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(values.limit)
const newestOfType = (db: Db, values: Page) => newestFirst(db, values).where('type', '=', values.type)
const after = (query: ReturnType<typeof newestFirst>, { at, id }: Cursor) =>
  query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(at, id)))
const selectPage = {
  ofAll: prepared(newestFirst),
  ofAllAfter: prepared((db, values: Page) => after(newestFirst(db, values), values)),
  ofType: prepared(newestOfType),
  ofTypeAfter: prepared((db, values: Page) => after(newestOfType(db, values), values)),
}

/** Newest first, all or of one type, after `cursor`; at most `limit`. */
export async function listEntities(
  db: Db,
  scope: Scope,
  { type, cursor, limit }: { type?: string; cursor: Cursor | undefined; limit: number },
): Promise<StoredEntity[]> {
  const select =
    selectPage[`${type === undefined ? 'ofAll' : 'ofType'}${cursor === undefined ? '' : 'After'}`]
  const rows = await select(db, { ...scope, limit, type: type ?? '', ...(cursor ?? { at: 0, id: '' }) })
  return rows.map(toEntity)
}

/** In the order of the database's collation. */
export async function listEntityNames(db: Db, scope: Scope, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('entities')
    .select('name')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

/** In order of insertion, after the id `after`. */
export async function listEntitiesInOrder(
  db: Db,
  scope: Scope,
  after: string,
  limit: number,
): Promise<StoredEntity[]> {
  const rows = await inScope(db, scope).where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(toEntity)
}

/** Most connected first. */
export async function listEntitiesByDegree(
  db: Db,
  scope: Scope,
  page: { cursor: Cursor | undefined; limit: number },
): Promise<StoredEntity[]> {
  let query = inScope(db, scope)
  if (page.cursor !== undefined) {
    const { at, id } = page.cursor
    query = query.where((eb) => eb(eb.refTuple('degree', 'id'), '<', eb.tuple(at, id)))
  }
  const rows = await query.orderBy('degree', 'desc').orderBy('id', 'desc').limit(page.limit).execute()
  return rows.map(toEntity)
}

export async function insertEntities(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entities: readonly NewEntity[],
): Promise<void> {
  const rows = entities.map((entity) => ({
    account_id: scope.accountId,
    space_id: scope.spaceId,
    id: entity.id,
    name: entity.name,
    type: entity.type,
    metadata: JSON.stringify(entity.metadata),
    observations_count: entity.observationsCount,
    degree: 0,
    version: firstVersion,
    created_at: entity.createdAt,
    updated_at: entity.updatedAt,
  }))
  await dialect.insertRows(db, 'entities', rows)
}

export async function updateEntity(
  db: Db,
  scope: Scope,
  id: string,
  fields: { name: string; type: string; metadata: object },
): Promise<void> {
  await db
    .updateTable('entities')
    .set({ name: fields.name, type: fields.type, metadata: JSON.stringify(fields.metadata) })
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '=', id)
    .execute()
}

type Touch = Scope & { ids: readonly string[]; at: number; observations: number }
const updateTouched = prepared((db, values: Touch, dialect: Dialect) =>
  db
    .updateTable('entities')
    .set((eb) => ({
      observations_count: eb('observations_count', '+', values.observations),
      version: eb('version', '+', 1),
      updated_at: values.at,
    }))
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
    .where(dialect.isOneOf('id', values.ids)),
)

/** Marks entities as changed at `at`, each with `observations` more or fewer than before. */
export async function touchEntities(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  touches: readonly { id: string; at: number; observations: number }[],
): Promise<void> {
  for (const alike of Map.groupBy(touches, ({ at, observations }) => `${at} ${observations}`).values()) {
    const { at, observations } = alike[0]!
    await updateTouched(db, { ...scope, at, observations, ids: alike.map(({ id }) => id) }, dialect)
  }
}

type Degrees = Scope & { ids: readonly string[]; delta: number }
const updateDegrees = prepared((db, values: Degrees, dialect: Dialect) =>
  db
    .updateTable('entities')
    .set((eb) => ({ degree: eb('degree', '+', values.delta) }))
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
    .where(dialect.isOneOf('id', values.ids)),
)

/**
 * Adds to the number of relation ends at each entity. One statement for all that change by the same number: a join
 * with a list of numbers is a scan of the whole space on an SQLite that has not been analysed.
 */
export async function addToDegrees(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  deltas: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [delta, alike] of Map.groupBy(deltas, ([, delta]) => delta)) {
    await updateDegrees(db, { ...scope, delta, ids: alike.map(([id]) => id) }, dialect)
  }
}

/** The entities' rows only; observations and relations go first. */
export async function deleteEntities(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('entities')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('id', ids))
    .execute()
}

function toEntity(row: EntitiesTable): StoredEntity {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    metadata: JSON.parse(row.metadata),
    observationsCount: row.observations_count,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    version: row.version,
    degree: row.degree,
  }
}

/** The entity as callers see it. Without a spread, which copies at a tenth of the speed. */
export function toShownEntity(stored: StoredEntity): Entity {
  const { id, name, type, metadata, observationsCount, createdAt, updatedAt } = stored
  return { id, name, type, metadata, observationsCount, createdAt, updatedAt }
}
