import { type RawBuilder, sql } from 'kysely'
import type { Db, NumberedRange } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { WithMemory } from './search-index.repo.ts'

/** One text per subject, since a row per id takes longer than finding it. */
type Ids = { ids: string | null }
const split = (rows: readonly Ids[]) => rows.flatMap(({ ids }) => ids?.split(',').map(Number) ?? [])

type Around = Scope & { places: readonly NumberedRange[]; limit: number }
const newestOf = (
  column: 'from_id' | 'to_id',
  { accountId, spaceId, limit }: Around,
  isWanted: RawBuilder<unknown>,
) => sql`(
  select string_agg(cast(id as text), ',') from (
    select id from relations
    where account_id = ${accountId} and space_id = ${spaceId} and ${sql.ref(column)} = place.key and ${isWanted}
    order by created_at desc limit ${limit}
  ) as newest
) as ids`
const around = (db: Db, values: Around, isWanted: RawBuilder<unknown>) => {
  const dialect = dialectOf(db)
  const { places } = values
  return statement<Ids>(
    db,
    sql`select ${newestOf('from_id', values, isWanted)} from ${dialect.numberedRangesOf(places)} as place
      union all select ${newestOf('to_id', values, isWanted)} from ${dialect.numberedRangesOf(places)} as place`,
  )
}
const toPlaces = (ids: readonly number[]) => ids.map((key) => ({ key, low: 0, high: 0 }))

const selectAround = prepared((db: Db, values: Around) => around(db, values, sql`true`))

/** The numbers of each entity's newest outgoing and incoming relations, at most `limit` in each direction. */
export async function listRelationIdsAround(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  entityIds: readonly number[],
  limit: number,
): Promise<number[]> {
  if (entityIds.length === 0) return []
  if (memory !== undefined) return memory.relationsAround(entityIds, limit)
  return split(await selectAround(db, { accountId, spaceId, places: toPlaces(entityIds), limit }))
}

const selectTyped = prepared((db: Db, values: Around & { type: string }) =>
  around(db, values, sql`relations.type = ${values.type}`),
)

/** The same for one type. */
export async function listTypedRelationIdsAround(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  entityIds: readonly number[],
  type: string,
  limit: number,
): Promise<number[]> {
  if (entityIds.length === 0) return []
  if (memory !== undefined) return memory.relationsAround(entityIds, limit, type)
  const values = { accountId, spaceId, places: toPlaces(entityIds), type, limit }
  return split(await selectTyped(db, values))
}

type OfType = Scope & { type: string; limit: number }
const selectOfType = prepared((db: Db, { accountId, spaceId, type, limit }: OfType) =>
  db
    .selectFrom('relations')
    .select('id')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('type', '=', type)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit),
)

/** The numbers of the newest relations of a type, at most `limit`. */
export async function listRelationIdsOfType(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  type: string,
  limit: number,
): Promise<number[]> {
  if (memory !== undefined) return memory.relationsOfType(type, limit)
  return (await selectOfType(db, { accountId, spaceId, type, limit })).map(({ id }) => id)
}

type Among = Scope & { ids: readonly number[]; limit: number }
const selectAmong = prepared((db: Db, { accountId, spaceId, ids, limit }: Among) =>
  db
    .selectFrom('relations')
    .select('id')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where(dialectOf(db).isOneOfNumbers('from_id', ids))
    .where(dialectOf(db).isOneOfNumbers('to_id', ids))
    .limit(limit),
)

/** The numbers of relations both of whose ends are among these entities, at most `limit`. */
export async function listRelationIdsAmong(
  db: Db,
  { accountId, spaceId, memory }: WithMemory,
  ids: readonly number[],
  limit: number,
): Promise<number[]> {
  if (ids.length < 2) return []
  if (memory !== undefined) return memory.relationsAmong(ids, limit)
  return (await selectAmong(db, { accountId, spaceId, ids, limit })).map(({ id }) => id)
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
  { accountId, spaceId, memory }: WithMemory,
  limit: number,
): Promise<{ kind: string; type: string }[]> {
  return memory?.types(limit) ?? selectTypes(db, { accountId, spaceId, limit })
}
