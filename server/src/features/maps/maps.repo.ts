import type { MapRegion } from '@loci/contract/graph-places'
import { entityIdOf, entityNumber } from '@loci/contract/place-codec'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { MapPart } from './maps.rules.ts'

/** `places` is how many there are. */
export type StoredMap = { version: number; places: number; regions: MapRegion[] }

export async function findMap(db: Db, { accountId, spaceId }: Scope): Promise<StoredMap | undefined> {
  const row = await db
    .selectFrom('graph_maps')
    .select(['version', 'places', 'regions'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  return row && { ...row, regions: toRegions(row.regions) }
}

export async function findMapVersion(db: Db, { accountId, spaceId }: Scope): Promise<number | undefined> {
  const row = await db
    .selectFrom('graph_maps')
    .select('version')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  return row?.version
}

export async function putMap(db: Db, { accountId, spaceId }: Scope, map: StoredMap): Promise<void> {
  const regions = JSON.stringify(map.regions.map(({ id, tint }) => [entityNumber(id), tint]))
  const { version, places } = map
  await db
    .insertInto('graph_maps')
    .values({ account_id: accountId, space_id: spaceId, version, places, regions })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'space_id']).doUpdateSet({ version, places, regions }),
    )
    .execute()
}

/** Gives the map a new version, if there is one. */
export async function renewMap(db: Db, { accountId, spaceId }: Scope): Promise<void> {
  await db
    .updateTable('graph_maps')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .execute()
}

/** All parts, or those named. */
export function listMapParts(
  db: Db,
  { accountId, spaceId }: Scope,
  parts?: readonly number[],
): Promise<MapPart[]> {
  const all = db
    .selectFrom('graph_map_parts')
    .select(['part', 'places'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .orderBy('part')
  return (parts === undefined ? all : all.where(dialectOf(db).isOneOfNumbers('part', parts))).execute()
}

/** All parts, or those named. */
export async function deleteMapParts(
  db: Db,
  { accountId, spaceId }: Scope,
  parts?: readonly number[],
): Promise<void> {
  const all = db
    .deleteFrom('graph_map_parts')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
  await (parts === undefined ? all : all.where(dialectOf(db).isOneOfNumbers('part', parts))).execute()
}

export async function insertMapParts(
  db: Db,
  { accountId, spaceId }: Scope,
  parts: readonly MapPart[],
): Promise<void> {
  const rows = parts.map((part) => ({ account_id: accountId, space_id: spaceId, ...part }))
  await dialectOf(db).insertRows(db, 'graph_map_parts', rows)
}

function toRegions(stored: string): MapRegion[] {
  return (JSON.parse(stored) as [number, number][]).map(([entity, tint]) => ({
    id: entityIdOf(entity),
    tint,
  }))
}
