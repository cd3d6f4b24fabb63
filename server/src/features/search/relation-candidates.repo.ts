import { sql } from 'kysely'
import type { Scope } from '../../auth/actor.ts'
import type { Db, PlainRow } from '../../db/db.ts'
import type { Dialect } from '../../db/dialect.ts'
import { prepared, statement } from '../../db/prepared.ts'

/** As one text for each thing that is asked about: a row for each id would take longer than to find it. */
type Ids = { ids: string | null }
const split = (rows: readonly Ids[]) => rows.flatMap(({ ids }) => ids?.split(',') ?? [])

type Around = Scope & { places: readonly PlainRow[]; limit: number }
const newestOf = (column: 'from_id' | 'to_id', { accountId, spaceId, limit }: Around, more = sql``) => sql`(
  select string_agg(id, ',') from (
    select id from relations
    where account_id = ${accountId} and space_id = ${spaceId} and ${sql.ref(column)} = place.entity_id ${more}
    order by created_at desc limit ${limit}
  ) as newest_${sql.raw(column)}
)`

const selectAround = prepared((db: Db, values: Around, dialect: Dialect) => {
  const place = dialect.rowsOf('place', values.places)
  return statement<Ids>(
    db,
    sql`select ${newestOf('from_id', values)} as ids from ${place}
      union all select ${newestOf('to_id', values)} as ids from ${dialect.rowsOf('place', values.places)}`,
  )
})

/** The ids of the newest relations that leave each entity, and of those that reach it, at most `limit` of each. */
export async function listRelationIdsAround(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  entityIds: readonly string[],
  limit: number,
): Promise<string[]> {
  if (entityIds.length === 0) return []
  const places = entityIds.map((id) => ({ entity_id: id }))
  return split(await selectAround(db, { accountId, spaceId, places, limit }, dialect))
}

const selectTyped = prepared((db: Db, values: Around, dialect: Dialect) => {
  const isTyped = sql`and type = place.type`
  return statement<Ids>(
    db,
    sql`select ${newestOf('from_id', values, isTyped)} as ids from ${dialect.rowsOf('place', values.places)}
      union all
      select ${newestOf('to_id', values, isTyped)} as ids from ${dialect.rowsOf('place', values.places)}`,
  )
})

/** The same of some types only. */
export async function listTypedRelationIdsAround(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  entityIds: readonly string[],
  types: readonly string[],
  limit: number,
): Promise<string[]> {
  if (entityIds.length === 0 || types.length === 0) return []
  const places = entityIds.flatMap((id) => types.map((type) => ({ entity_id: id, type })))
  return split(await selectTyped(db, { accountId, spaceId, places, limit }, dialect))
}

type OfTypes = Scope & { types: readonly PlainRow[]; limit: number }
const selectOfTypes = prepared((db: Db, { accountId, spaceId, types, limit }: OfTypes, dialect: Dialect) =>
  statement<Ids>(
    db,
    sql`select (
      select string_agg(id, ',') from (
        select id from relations
        where account_id = ${accountId} and space_id = ${spaceId} and relations.type = asked.type
        order by created_at desc, id desc limit ${limit}
      ) as newest
    ) as ids from ${dialect.rowsOf('asked', types)}`,
  ),
)

/** The ids of the newest relations of each type, at most `limit`. */
export async function listRelationIdsOfTypes(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  types: readonly string[],
  limit: number,
): Promise<string[]> {
  if (types.length === 0) return []
  const asked = types.map((type) => ({ type }))
  return split(await selectOfTypes(db, { accountId, spaceId, types: asked, limit }, dialect))
}

type Among = Scope & { ids: readonly string[]; limit: number }
const selectAmong = prepared((db: Db, { accountId, spaceId, ids, limit }: Among, dialect: Dialect) =>
  db
    .selectFrom('relations')
    .select('id')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where(dialect.isOneOf('from_id', ids))
    .where(dialect.isOneOf('to_id', ids))
    .limit(limit),
)

/** The ids of relations both of whose ends are among these entities, at most `limit`. */
export async function listRelationIdsAmong(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  ids: readonly string[],
  limit: number,
): Promise<string[]> {
  if (ids.length < 2) return []
  return (await selectAmong(db, { accountId, spaceId, ids, limit }, dialect)).map(({ id }) => id)
}

const selectTypes = prepared((db: Db, { accountId, spaceId, limit }: Scope & { limit: number }) =>
  db
    .selectFrom('type_counts')
    .select(['kind', 'type'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('count', '>', 0)
    .orderBy('kind')
    .orderBy('type')
    .limit(limit),
)

/** The types of a space's entities and relations, at most `limit`. */
export async function listTypesInUse(
  db: Db,
  { accountId, spaceId }: Scope,
  limit: number,
): Promise<{ kind: string; type: string }[]> {
  return selectTypes(db, { accountId, spaceId, limit })
}
