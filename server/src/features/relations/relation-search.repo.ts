import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Cursor } from '../../ground/lib/cursors.ts'
import type { RelationFilter } from '../../rows/relations.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** An entity with its number of relation ends. */
export type RelatedEntity = { id: number; name: string; degree: number }

/** The entities with these numbers, which are also the numbers of their name passages. */
export async function listNamedEntities(
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<RelatedEntity[]> {
  return selectNames(db, scope).select('degree').where(dialectOf(db).isOneOfNumbers('id', ids)).execute()
}

type Named = { id: number; name: string }

/** The names of these entities. */
export async function findEntityNames(db: Db, scope: Scope, ids: readonly number[]): Promise<Named[]> {
  return selectNames(db, scope).where(dialectOf(db).isOneOfNumbers('id', ids)).execute()
}

/** Result of matching the names of a page of entities. */
export type NamesPage = {
  /** Ids of the entities whose names contain the text, separated by commas. */
  ids: string | null
  /** Number of names with non-ASCII letters, which only our own folding can match. */
  others: number
  read: number
  /** The last of these entities; undefined if there are none. */
  last: number | null
}

const isAscii = sql`octet_length(name) = length(name)`

/** Finds the names after the number `after`, in numeric order, that contain `part`, which is null if not ASCII. */
export async function readNames(
  db: Db,
  scope: Scope,
  page: { part: string | null; after: number; limit: number },
): Promise<NamesPage> {
  const hasPart = page.part === null ? sql`1 = 0` : dialectOf(db).hasPart('name', page.part)
  const names = selectNames(db, scope).where('id', '>', page.after).orderBy('id').limit(page.limit)
  const { rows } = await sql<NamesPage>`
    select string_agg(case when ${isAscii} and ${hasPart} then cast(id as text) end, ',') as ids, count(*) as read,
      count(case when ${isAscii} then null else 1 end) as others, max(id) as last
    from ${names.as('page')}`.execute(db)
  return rows[0]!
}

/** The names with non-ASCII letters, after one number and up to another. */
export async function listOtherNames(
  db: Db,
  scope: Scope,
  { after, last }: { after: number; last: number },
): Promise<Named[]> {
  return selectNames(db, scope)
    .where('id', '>', after)
    .where('id', '<=', last)
    .where(sql<SqlBool>`not ${isAscii}`)
    .execute()
}

const selectNames = (db: Db, scope: Scope) =>
  db.selectFrom('entities').select(['id', 'name']).where(isIn(scope))

/** The columns of a relation that a search reads. */
export type RelationRowKey = { id: number; fromId: number; toId: number; type: string; createdAt: number }

/** All relations that begin, or end, at one of the entities. */
export async function listKeysAt(
  db: Db,
  scope: Scope,
  end: 'from_id' | 'to_id',
  entityIds: readonly number[],
): Promise<RelationRowKey[]> {
  return db
    .selectFrom('relations')
    .select(['id', 'from_id as fromId', 'to_id as toId', 'type', 'created_at as createdAt'])
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers(end, entityIds))
    .execute()
}

/** Number of relations from one of the entities to one of them. */
export async function countAmong(db: Db, scope: Scope, entityIds: readonly number[]): Promise<number> {
  const dialect = dialectOf(db)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from relations where ${isIn(scope, 'relations')}
      and ${dialect.isOneOfNumbers('from_id', entityIds)} and ${dialect.isOneOfNumbers('to_id', entityIds)}`.execute(
    db,
  )
  return Number(rows[0]!.count)
}

/** A section of a list of relations, by column. */
export type RelationStretch = {
  fromIds: number[]
  toIds: number[]
  /** `1` for relations of one of the asked types. */
  isOfType: string[]
  /** Empty unless requested. */
  places: Cursor[]
  /** Cursor of the last one; undefined if there are none. */
  last: Cursor | undefined
}

type Stretch = {
  filter: RelationFilter
  /** Only of these types. */
  types: readonly string[] | undefined
  askedTypes: readonly string[]
  cursor: Cursor | undefined
  limit: number
  withPlaces: boolean
}
type Column = 'fromIds' | 'toIds' | 'isOfType' | 'ids' | 'createdAts'
type Texts = Record<Column, string | null> & { lastAt: number }

/** Newest first, after `cursor`. Returns one text per column: a row per relation takes twice as long. */
export async function readRelations(db: Db, scope: Scope, stretch: Stretch): Promise<RelationStretch> {
  const dialect = dialectOf(db)
  const { askedTypes, withPlaces } = stretch
  const isOfType = sql`case when ${dialect.isOneOf('type', askedTypes)} then '1' else '0' end`
  const { rows } = await sql<Texts>`
    select string_agg(cast(from_id as text), ',') as "fromIds", string_agg(cast(to_id as text), ',') as "toIds", string_agg(cast(id as text), ',') as ids,
      ${askedTypes.length === 0 ? sql`null` : sql`string_agg(${isOfType}, ',')`} as "isOfType",
      ${withPlaces ? sql`string_agg(cast(created_at as text), ',')` : sql`null`} as "createdAts",
      min(created_at) as "lastAt"
    from (
      select id, from_id, to_id, created_at, type from relations where ${conditionsOf(dialect, scope, stretch)}
      order by created_at desc, id desc limit ${stretch.limit}
    ) as stretch`.execute(db)
  return toStretch(rows[0]!)
}

function toStretch({ lastAt, ...texts }: Texts): RelationStretch {
  const read = (column: Column) => texts[column]?.split(',') ?? []
  const createdAts = read('createdAts')
  const ids = createdAts.length === 0 ? [] : read('ids')
  return {
    fromIds: read('fromIds').map(Number),
    toIds: read('toIds').map(Number),
    isOfType: read('isOfType'),
    places: createdAts.map((at, i) => ({ at: Number(at), id: Number(ids[i]) })),
    last:
      texts.ids === null
        ? undefined
        : { at: lastAt, id: Number(texts.ids.slice(texts.ids.lastIndexOf(',') + 1)) },
  }
}

function conditionsOf(
  dialect: Dialect,
  scope: Scope,
  { filter, types, cursor }: Stretch,
): RawBuilder<unknown> {
  const conditions = [isIn(scope, 'relations')]
  if (filter.from !== undefined) conditions.push(sql`from_id = ${filter.from}`)
  if (filter.to !== undefined) conditions.push(sql`to_id = ${filter.to}`)
  if (filter.type !== undefined) conditions.push(sql`type = ${filter.type}`)
  if (types !== undefined) conditions.push(dialect.isOneOf('type', types))
  if (cursor !== undefined) conditions.push(sql`(created_at, id) < (${cursor.at}, ${cursor.id})`)
  return sql.join(conditions, sql` and `)
}
