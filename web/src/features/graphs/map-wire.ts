import type { GraphPlaces } from '@loci/contract/graph-places'
import {
  decodePlaces,
  encodePlaces,
  entityIdOf,
  entityNumber,
  fromBase64,
  toBase64,
} from '@loci/contract/place-codec'
import type { GraphMap } from '@loci/graph/types'

type Wire = Required<Pick<GraphPlaces, 'regions' | 'places'>>

/** The map in the form of the engine, from that of the server. */
export function readMap({ regions, places }: Wire): GraphMap {
  const decoded = decodePlaces(fromBase64(places) ?? new Uint8Array()) ?? []
  return {
    regions,
    places: decoded.map(({ entity, ...place }) => ({ id: entityIdOf(entity), ...place })),
  }
}

/** The reverse, with only the regions that a place is in. */
export function writeMap({ regions, places }: GraphMap): Wire {
  const used = [...new Set(places.map(({ region }) => region))].filter((region) => region >= 0)
  const numbers = new Map(used.map((region, number) => [region, number]))
  const rows = places.flatMap(({ id, x, y, region }) => {
    const entity = entityNumber(id)
    return entity === undefined ? [] : [{ entity, x, y, region: numbers.get(region) ?? -1 }]
  })
  return { regions: used.map((region) => regions[region]!), places: toBase64(encodePlaces(rows)) }
}
