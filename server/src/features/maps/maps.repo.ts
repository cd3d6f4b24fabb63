import type { MapRegion } from '@loci/contract/graph-places'
import { entityIdOf, entityNumber } from '@loci/contract/place-codec'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { MapPart } from './maps.rules.ts'

/** `places` is how many there are. */
export type StoredMap = { version: number; places: number; regions: MapRegion[] }

export async function findMap(db: Db, scope: Scope): Promise<StoredMap | undefined> {
  const row = await db
    .selectFrom('graph_maps')
    .select(['version', 'places', 'regions'])
    .where(isIn(scope))
    .executeTakeFirst()
  return row && { ...row, regions: toRegions(row.regions) }
}

export async function findMapVersion(db: Db, scope: Scope): Promise<number | undefined> {
  const row = await db.selectFrom('graph_maps').select('version').where(isIn(scope)).executeTakeFirst()
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
export async function renewMap(db: Db, scope: Scope): Promise<void> {
  await db
    .updateTable('graph_maps')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where(isIn(scope))
    .execute()
}

/** All parts, or those named. */
export function listMapParts(db: Db, scope: Scope, parts?: readonly number[]): Promise<MapPart[]> {
  const all = db.selectFrom('graph_map_parts').select(['part', 'places']).where(isIn(scope)).orderBy('part')
  return (parts === undefined ? all : all.where(dialectOf(db).isOneOfNumbers('part', parts))).execute()
}

/** All parts, or those named. */
export async function deleteMapParts(db: Db, scope: Scope, parts?: readonly number[]): Promise<void> {
  const all = db.deleteFrom('graph_map_parts').where(isIn(scope))
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
