import {
  type GraphPlaces,
  type GraphPlacesQuery,
  type MapRegion,
  mapPlacesMax,
  mapRegionsMax,
  type PutGraphPlaces,
  type StoredGraphPlaces,
} from '@loci/contract/graph-places'
import { entityIdOf, entityNumber, type MapPlace } from '@loci/contract/place-codec'
import { AppError } from '../../ground/errors/app-error.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { findGraphEntities } from '../../rows/traversal.repo.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { announceNews } from '../../tenancy/news/announce-news.ts'
import type { Scope } from '../../tenancy/scope.ts'
import * as maps from './maps.repo.ts'
import { joinParts, type MapPart, mergeParts, numberAsIn, partOf, readPlaces } from './maps.rules.ts'
import { listRegionNames } from './region-names.service.ts'

const noMap: maps.StoredMap = { version: 0, places: 0, regions: [] }

/** The map of the space; only its version if the caller has that one. */
export async function getMap(ctx: Context, actor: Actor, { known }: GraphPlacesQuery): Promise<GraphPlaces> {
  const { version, regions } = (await maps.findMap(ctx.db, actor)) ?? noMap
  const names = await listRegionNames(ctx, actor)
  if (known === String(version)) return { version, names }
  const places = joinParts(await maps.listMapParts(ctx.db, actor))
  return { version, regions, places, hubs: await listHubNames(ctx, actor, regions), names }
}

/** The names of the entities that regions are named after; empty for deleted ones. */
export async function listHubNames(
  { db }: Context,
  actor: Actor,
  regions: readonly MapRegion[],
): Promise<string[]> {
  const rows = await findGraphEntities(
    db,
    actor,
    regions.map(({ id }) => id),
  )
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  return regions.map(({ id }) => nameOf.get(id) ?? '')
}

/**
 * Replaces the map if `ifMatch` accepts its version; without a test, adds places, of which the first that anybody
 * stored stands. Throws `stale_write`, `places_limit_reached`, `validation_failed`.
 */
export async function storeMap(
  ctx: Context,
  actor: Actor,
  { regions, places: text, moves = false }: PutGraphPlaces,
  ifMatch?: (version: number) => boolean,
): Promise<StoredGraphPlaces> {
  const places = await readPlaces(text, regions.length)
  if (places === undefined || regions.some(({ id }) => entityNumber(id) === undefined))
    throw new AppError('validation_failed', 'These are no places of a map')
  return transact(ctx, actor.accountId, async (inner) => {
    const { db } = inner
    await lockAccount(db, actor.accountId)
    const map = (await maps.findMap(db, actor)) ?? noMap
    if (ifMatch !== undefined && !ifMatch(map.version))
      throw new AppError('stale_write', 'The map was changed by someone else in the meantime')
    const isNew = ifMatch !== undefined && !moves
    const base = isNew ? { ...noMap, version: map.version } : map
    const addition = numberAsIn(base.regions, { regions, places })
    const parts = isNew ? undefined : [...new Set(addition.places.map(partOf))]
    const present = isNew ? [] : await read(await maps.listMapParts(db, actor, parts))
    const merged = await mergeParts(present, addition.places, moves)
    const count = base.places + merged.places - present.length
    requireRoom(count, addition.regions.length)
    const version = map.version + 1
    await maps.deleteMapParts(db, actor, parts)
    await maps.insertMapParts(db, actor, merged.stored)
    await maps.putMap(db, actor, { version, places: count, regions: addition.regions })
    await announceNews(inner, actor)
    return { version, before: map.version, regions: addition.regions, places: joinParts(merged.added) }
  })
}

/** Increases with every change of the map; 0 while nobody has drawn it. */
export async function getMapVersion({ db }: Pick<Context, 'db'>, scope: Scope): Promise<number> {
  return (await maps.findMapVersion(db, scope)) ?? noMap.version
}

/** The entities in a region that still exist, most connected first, and the region's name if it was given one. */
export async function findRegion(
  { db }: Context,
  actor: Actor,
  id: string,
): Promise<{ name: string | undefined; entities: StoredEntity[] } | undefined> {
  const map = await maps.findMap(db, actor)
  const number = map?.regions.findIndex((region) => region.id === id) ?? -1
  if (number < 0) return undefined
  const all = await read(await maps.listMapParts(db, actor))
  const places = all.filter(({ region }) => region === number)
  const ids = places.map(({ entity }) => entityIdOf(entity))
  const entities = (await findEntitiesById(db, actor, ids)).sort((a, b) => b.degree - a.degree)
  const names = await listRegionNames({ db }, actor)
  return { name: ids.map((entity) => names[entity]).find((name) => name !== undefined), entities }
}

/** Where entities are, in the units of the map; those that it lacks are left out. */
export async function listPlaces({ db }: Context, scope: Scope, entities: readonly number[]) {
  const parts = [...new Set(entities.map((entity) => partOf({ entity })))]
  const wanted = new Set(entities)
  const places = await read(await maps.listMapParts(db, scope, parts))
  return places.filter(({ entity }) => wanted.has(entity))
}

async function read(parts: readonly MapPart[]): Promise<MapPlace[]> {
  const all: MapPlace[] = []
  for (const { places } of parts) all.push(...((await readPlaces(places, Number.POSITIVE_INFINITY)) ?? []))
  return all
}

function requireRoom(places: number, regions: number): void {
  if (places <= mapPlacesMax && regions <= mapRegionsMax) return
  const message = 'The map is full. Tidying it up drops the places of deleted entities.'
  throw new AppError('places_limit_reached', message)
}
