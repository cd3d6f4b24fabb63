import type { GraphPlaces } from '@loci/contract/graph-places'
import {
  decodeParts,
  encodePlaces,
  entityIdOf,
  entityNumber,
  fromBase64,
  toBase64,
} from '@loci/contract/place-codec'
import type { GraphMap, GraphMapPlace } from '@loci/graph/types'
import { createPace } from '../../lib/pace.ts'

type Wire = Required<Pick<GraphPlaces, 'regions' | 'places'>>

/** The map in the form of the engine, from that of the server; a large one in slices, with other work in between. */
export async function readMap({ regions, places: text }: Wire): Promise<GraphMap> {
  const pace = createPace()
  const places: GraphMapPlace[] = []
  for (const part of decodeParts(fromBase64(text) ?? new Uint8Array())) {
    for (const { entity, x, y, region } of part ?? []) places.push({ id: entityIdOf(entity), x, y, region })
    await pace()
  }
  return { regions, places }
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
