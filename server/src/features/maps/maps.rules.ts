import type { MapRegion } from '@loci/contract/graph-places'
import {
  decodePlaces,
  encodePlaces,
  fromBase64,
  type MapPlace,
  placesPerPart,
  toBase64,
} from '@loci/contract/place-codec'

/** Places of entities with neighbouring numbers, in base 64. */
export type MapPart = { part: number; places: string }

export const partOf = ({ entity }: Pick<MapPlace, 'entity'>) => Math.floor(entity / placesPerPart)

/** Undefined unless these are places whose regions are in the list. */
export function readPlaces(text: string, regionsMax: number): MapPlace[] | undefined {
  const bytes = fromBase64(text)
  const places = bytes && decodePlaces(bytes)
  return places?.every(({ region }) => region < regionsMax) ? places : undefined
}

export function writePlaces(places: readonly MapPlace[]): string {
  return toBase64(encodePlaces(places))
}

/** Joins stored parts. */
export function joinParts(parts: readonly MapPart[]): string {
  return Buffer.concat(parts.map(({ places }) => Buffer.from(places, 'base64'))).toString('base64')
}

export function toParts(places: readonly MapPlace[]): MapPart[] {
  return [...Map.groupBy(places, partOf)].map(([part, own]) => ({ part, places: writePlaces(own) }))
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
 * The places after an addition. The first place of an entity stands, except that one outside every region may move
 * into one: it was not linked until then.
 */
export function mergePlaces(present: readonly MapPlace[], added: readonly MapPlace[]): MapPlace[] {
  const merged = new Map(present.map((place) => [place.entity, place]))
  for (const place of added) {
    const before = merged.get(place.entity)
    if (before === undefined || (before.region < 0 && place.region >= 0)) merged.set(place.entity, place)
  }
  return [...merged.values()]
}
