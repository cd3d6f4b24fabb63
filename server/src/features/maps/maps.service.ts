import {
  type GraphPlaces,
  type GraphPlacesQuery,
  mapPlacesMax,
  mapRegionsMax,
  type PutGraphPlaces,
  type StoredGraphPlaces,
} from '@loci/contract/graph-places'
import { entityNumber, type MapPlace } from '@loci/contract/place-codec'
import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import * as maps from './maps.repo.ts'
import {
  joinParts,
  type MapPart,
  mergePlaces,
  numberAsIn,
  partOf,
  readPlaces,
  toParts,
  writePlaces,
} from './maps.rules.ts'
import { listRegionNames } from './region-names.service.ts'

const noMap: maps.StoredMap = { version: 0, places: 0, regions: [] }

/** The map of the space; only its version if the caller has that one. */
export async function getMap(ctx: Context, actor: Actor, { known }: GraphPlacesQuery): Promise<GraphPlaces> {
  const { version, regions } = (await maps.findMap(ctx.db, actor)) ?? noMap
  const names = await listRegionNames(ctx, actor)
  if (known === String(version)) return { version, names }
  return { version, regions, places: joinParts(await maps.listMapParts(ctx.db, actor)), names }
}

/**
 * Replaces the map if `ifMatch` accepts its version; without a test, adds places, of which the first that anybody
 * stored stands. Throws `stale_write`, `places_limit_reached`, `validation_failed`.
 */
export function storeMap(
  ctx: Context,
  actor: Actor,
  { regions, places: text }: PutGraphPlaces,
  ifMatch?: (version: number) => boolean,
): Promise<StoredGraphPlaces> {
  const places = readPlaces(text, regions.length)
  if (places === undefined || regions.some(({ id }) => entityNumber(id) === undefined))
    throw new AppError('validation_failed', 'These are no places of a map')
  return transact(
    ctx,
    async ({ db }) => {
      await lockAccount(db, actor.accountId)
      const map = (await maps.findMap(db, actor)) ?? noMap
      if (ifMatch !== undefined && !ifMatch(map.version))
        throw new AppError('stale_write', 'The map was changed by someone else in the meantime')
      const base = ifMatch === undefined ? map : { ...noMap, version: map.version }
      const addition = numberAsIn(base.regions, { regions, places })
      const isNew = ifMatch !== undefined
      const parts = isNew ? undefined : [...new Set(addition.places.map(partOf))]
      const present = isNew ? [] : read(await maps.listMapParts(db, actor, parts))
      const merged = mergePlaces(present, addition.places)
      const count = base.places + merged.length - present.length
      requireRoom(count, addition.regions.length)
      const version = map.version + 1
      await maps.deleteMapParts(db, actor, parts)
      await maps.insertMapParts(db, actor, toParts(merged))
      await maps.putMap(db, actor, { version, places: count, regions: addition.regions })
      const named = new Set(places.map(({ entity }) => entity))
      const stored = merged.filter(({ entity }) => named.has(entity))
      return { version, before: map.version, regions: addition.regions, places: writePlaces(stored) }
    },
    actor.accountId,
  )
}

const read = (parts: readonly MapPart[]): MapPlace[] =>
  parts.flatMap(({ places }) => readPlaces(places, Number.POSITIVE_INFINITY) ?? [])

function requireRoom(places: number, regions: number): void {
  if (places <= mapPlacesMax && regions <= mapRegionsMax) return
  const message = 'The map is full. Tidying it up drops the places of deleted entities.'
  throw new AppError('places_limit_reached', message)
}
