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

test('a map is the same after its way to the server and back, without regions that nobody is in', () => {
  const { regions, places } = readMap(writeMap(map))
  expect(regions).toEqual([map.regions[0], map.regions[2]])
  const rows = map.places.map((place) => ({ ...place, region: place.region === 2 ? 1 : place.region }))
  const byId = (list: typeof rows) => list.toSorted((a, b) => a.id.localeCompare(b.id))
  expect(byId([...places])).toEqual(byId(rows))
})

test('of two maps the second counts, and regions are the same if their ids are', () => {
  const over = {
    regions: [
      { id: 'ent_new', tint: 5 },
      { id: 'ent_z', tint: 3 },
    ],
    places: [
      { id: 'ent_1', x: 7, y: 7, region: 1 },
      { id: 'ent_4', x: 8, y: 8, region: 0 },
    ],
  }
  const { regions, places } = joined(map, over)
  expect(regions.map(({ id }) => id)).toEqual(['ent_1', 'ent_9', 'ent_z', 'ent_new'])
  expect(places.find(({ id }) => id === 'ent_1')).toEqual({ id: 'ent_1', x: 7, y: 7, region: 2 })
  expect(places.find(({ id }) => id === 'ent_4')!.region).toBe(3)
  expect(places).toHaveLength(4)
})
