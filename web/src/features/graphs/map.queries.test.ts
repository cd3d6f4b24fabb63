// @vitest-environment jsdom
import { mapPlacesMax } from '@loci/contract/graph-places'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { serve } from '../../../test/server-double.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { addToMap, type SharedMap } from './map.queries.ts'
import { readMap, type writeMap } from './map-wire.ts'

const place = (number: number) => ({ id: `ent_${number.toString(36)}`, x: number, y: 0, region: -1 })
const placesOf = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => place(from + i))

test('a map takes what it has room for, and is not asked for more once it is full', async () => {
  const server = serve({
    putGraphPlaces: ({ body }) => ({
      version: 2,
      before: 1,
      ...(body as Awaited<ReturnType<typeof writeMap>>),
    }),
  })
  const client = new QueryClient()
  const known = { regions: [], places: placesOf(1, mapPlacesMax) }
  client.setQueryData<SharedMap>(queryKeys.graphMap(), { version: 1, map: known, names: {}, hubs: {} })
  const added = { regions: [], places: placesOf(mapPlacesMax, mapPlacesMax + 3) }
  await addToMap(client, added)
  const [call] = server.callsOf('putGraphPlaces')
  const stored = await readMap(call!.body as Awaited<ReturnType<typeof writeMap>>)
  expect(stored.places).toEqual([place(mapPlacesMax)])
  await addToMap(client, { regions: [], places: added.places.slice(1) })
  expect(server.callsOf('putGraphPlaces'), 'the rest is kept here').toHaveLength(1)
  const moved = { ...place(1), region: 0 }
  await addToMap(client, { regions: [{ id: 'ent_2', tint: 0 }], places: [moved] })
  expect(server.callsOf('putGraphPlaces'), 'what has a place may join a region').toHaveLength(2)
})
