import type { GraphPlaces } from '@loci/contract/graph-places'
import {
  decodeParts,
  encodeParts,
  entityIdOf,
  entityNumber,
  fromBase64,
  joinBytes,
  type MapPlace,
  placesPerPart,
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
export async function writeMap({ regions, places }: GraphMap): Promise<Wire> {
  const pace = createPace()
  const numbers = new Map<number, number>([[-1, -1]])
  const rows: MapPlace[] = []
  for (const { id, x, y, region } of places) {
    const entity = entityNumber(id)
    if (entity === undefined) continue
    if (!numbers.has(region)) numbers.set(region, numbers.size - 1)
    rows.push({ entity, x, y, region: numbers.get(region)! })
    if (rows.length % placesPerPart === 0) await pace()
  }
  const parts: Uint8Array[] = []
  for (const part of encodeParts(rows)) {
    parts.push(part)
    await pace()
  }
  const used = [...numbers.keys()].slice(1)
  return { regions: used.map((region) => regions[region]!), places: await textOf(joinBytes(parts), pace) }
}

/** In pieces of a multiple of three bytes, whose texts can be joined. */
async function textOf(bytes: Uint8Array, pace: () => Promise<void> | undefined): Promise<string> {
  const texts: string[] = []
  for (let at = 0; at < bytes.length; at += textBytes) {
    texts.push(toBase64(bytes.subarray(at, at + textBytes)))
    await pace()
  }
  return texts.join('')
}

const textBytes = 3 * 16_384
