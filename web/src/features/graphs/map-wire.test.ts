import { expect, test } from 'vitest'
import { joined } from './map.queries.ts'
import { readMap, writeMap } from './map-wire.ts'

const map = {
  regions: [
    { id: 'ent_1', tint: 1 },
    { id: 'ent_9', tint: 2 },
    { id: 'ent_z', tint: 3 },
  ],
  places: [
    { id: 'ent_1', x: -3, y: 4, region: 0 },
    { id: 'ent_z', x: 100_000, y: -1, region: 2 },
    { id: 'ent_3rj0', x: 0, y: 0, region: -1 },
  ],
}

test('a map is the same after its way to the server and back, without regions that nobody is in', async () => {
  const { regions, places } = await readMap(await writeMap(map))
  expect(regions).toEqual([map.regions[0], map.regions[2]])
  const rows = map.places.map((place) => ({ ...place, region: place.region === 2 ? 1 : place.region }))
  const byId = (list: typeof rows) => list.toSorted((a, b) => a.id.localeCompare(b.id))
  expect(byId([...places])).toEqual(byId(rows))
})

test('what was stored takes the place of what was known', () => {
  const stored = {
    regions: [...map.regions, { id: 'ent_new', tint: 5 }],
    places: [
      { id: 'ent_1', x: 7, y: 7, region: 2 },
      { id: 'ent_4', x: 8, y: 8, region: 3 },
    ],
  }
  expect(joined(map, stored)).toEqual({
    regions: stored.regions,
    places: [map.places[1], map.places[2], ...stored.places],
  })
})
