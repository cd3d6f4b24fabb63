import type { MapRegion } from '@loci/contract/graph-places'
import { entityIdOf } from '@loci/contract/place-codec'
import { toNumber } from '../../ground/lib/ids.ts'
import { findEntitiesByName } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { findMap } from './maps.repo.ts'
import { listHubNames, listPlaces } from './maps.service.ts'
import { listRegionNames } from './region-names.service.ts'

/** Where entities are on the map of their space; `region` is an index in the list, -1 for none. */
type NamedPlaces = {
  regions: { id: string; name: string; tint: number }[]
  places: Record<string, [x: number, y: number, region: number]>
}

/** The places of entities by name; undefined if the space has no map, or it lacks all of them. */
export async function findPlacesByName(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
): Promise<NamedPlaces | undefined> {
  const map = await findMap(ctx.db, actor)
  if (map === undefined || names.length === 0) return undefined
  const entities = await findEntitiesByName(ctx.db, actor, names)
  const nameOf = new Map(entities.map(({ id, name }) => [toNumber('ent', id), name]))
  const places = await listPlaces(
    ctx,
    actor,
    [...nameOf.keys()].filter((number) => number !== undefined),
  )
  if (places.length === 0) return undefined
  const used = [...new Set(places.map(({ region }) => region))].filter((region) => region in map.regions)
  const regionNames = await namesOf(ctx, actor, used, map.regions)
  return {
    regions: used.map((region, i) => ({ ...map.regions[region]!, name: regionNames[i]! })),
    places: Object.fromEntries(
      places.map(({ entity, x, y, region }) => [nameOf.get(entity)!, [x, y, used.indexOf(region)]]),
    ),
  }
}

/** The names that people gave to these regions, else those of the entities that they are named after. */
async function namesOf(
  ctx: Context,
  actor: Actor,
  used: readonly number[],
  regions: readonly MapRegion[],
): Promise<string[]> {
  const given = await listRegionNames(ctx, actor)
  const named = await listPlaces(
    ctx,
    actor,
    Object.keys(given).flatMap((id) => toNumber('ent', id) ?? []),
  )
  const givenTo = new Map(named.map(({ entity, region }) => [region, given[entityIdOf(entity)]]))
  const own = used.map((region) => regions[region]!)
  const hubs = await listHubNames(ctx, actor, own)
  return used.map((region, i) => givenTo.get(region) ?? hubs[i]!)
}
