import type { MapRegion } from '@loci/contract/graph-places'
import {
  decodeParts,
  encodePlaces,
  fromBase64,
  type MapPlace,
  placesPerPart,
  toBase64,
} from '@loci/contract/place-codec'
import { createPace } from '../../ground/lib/pace.ts'

/** Places of entities with neighbouring numbers, in base 64. */
export type MapPart = { part: number; places: string }

export const partOf = ({ entity }: Pick<MapPlace, 'entity'>) => Math.floor(entity / placesPerPart)

/** Undefined unless these are places whose regions are in the list. */
export async function readPlaces(text: string, regionsMax: number): Promise<MapPlace[] | undefined> {
  const bytes = fromBase64(text)
  if (bytes === undefined) return undefined
  const pace = createPace()
  const places: MapPlace[] = []
  for (const part of decodeParts(bytes)) {
    if (!part?.every(({ region }) => region < regionsMax)) return undefined
    places.push(...part)
    await pace()
  }
  return places
}

function writePlaces(places: readonly MapPlace[]): string {
  return toBase64(encodePlaces(places))
}

/** Joins stored parts. */
export function joinParts(parts: readonly MapPart[]): string {
  return Buffer.concat(parts.map(({ places }) => Buffer.from(places, 'base64'))).toString('base64')
}

/** What an addition makes of the parts that it touches: as they are stored then, and its own places among them. */
export type MergedParts = { stored: MapPart[]; added: MapPart[]; places: number }

/** Merges places with those of their parts that are there; with `moves`, in place of them. */
export async function mergeParts(
  present: readonly MapPlace[],
  added: readonly MapPlace[],
  moves: boolean,
): Promise<MergedParts> {
  const pace = createPace()
  const before = Map.groupBy(present, partOf)
  await pace()
  const after = Map.groupBy(added, partOf)
  const merged: MergedParts = { stored: [], added: [], places: 0 }
  for (const [part, own] of after) {
    await pace()
    const places = mergePlaces(before.get(part) ?? [], own, moves)
    const named = new Set(own.map(({ entity }) => entity))
    merged.places += places.length
    merged.stored.push({ part, places: writePlaces(places) })
    merged.added.push({ part, places: writePlaces(places.filter(({ entity }) => named.has(entity))) })
  }
  return merged
}

/** The regions of a map and the places added to it, in the map's numbering. */
type Addition = { regions: MapRegion[]; places: MapPlace[] }

/** Adds the regions that a map lacks. A region that two browsers found at once is the same if it has the same id. */
export function numberAsIn(present: readonly MapRegion[], { regions, places }: Addition): Addition {
  const joined = [...present]
  const numbers = new Map(joined.map(({ id }, number) => [id, number]))
  const used = new Set(places.map(({ region }) => region))
  const numberOf = regions.map((region, index) => {
    const known = numbers.get(region.id)
    if (known !== undefined || !used.has(index)) return known ?? -1
    numbers.set(region.id, joined.length)
    return joined.push(region) - 1
  })
  return {
    regions: joined,
    places: places.map((place) => ({ ...place, region: numberOf[place.region] ?? -1 })),
  }
}

/**
 * The places after an addition. Unless entities are moved, the first place of each stands, except that one outside
 * every region may move into one: it was not linked until then.
 */
function mergePlaces(present: readonly MapPlace[], added: readonly MapPlace[], moves: boolean): MapPlace[] {
  const merged = new Map(present.map((place) => [place.entity, place]))
  for (const place of added) {
    const before = merged.get(place.entity)
    if (moves || before === undefined || (before.region < 0 && place.region >= 0))
      merged.set(place.entity, place)
  }
  return [...merged.values()]
}
