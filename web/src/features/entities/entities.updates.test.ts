import type { Entity } from '@loci/contract/entities'
import type { GraphEvent } from '@loci/contract/realtime'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ListData } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const fetchEntities = vi.fn()
vi.doMock('./fetch-entities.ts', () => ({ fetchEntities }))
vi.resetModules()
const { createEntityUpdates } = await import('./entities.updates.ts')
afterAll(() => {
  vi.doUnmock('./fetch-entities.ts')
  vi.resetModules()
})

const entity = (index: number) =>
  ({
    id: `ent_${index}`,
    name: `Name ${index}`,
    type: 'concept',
    createdAt: new Date(1_000_000 - index).toISOString(),
    observationsCount: index,
  }) as Entity
const page = (first: number, nextCursor: string | null) => ({
  rows: [entity(first), entity(first + 1)],
  total: 4,
  nextCursor,
})
const data: ListData<Entity> = { pages: [page(0, 'c1'), page(2, null)], pageParams: [undefined, 'c1'] }
const event = (type: GraphEvent['type'], payload: object) =>
  ({ id: 'evt_1', type, payload, timestamp: '', seq: 1 }) as GraphEvent
const observed = (entityId: string) => event('observation_added', { entityId, observationId: 'obs_1' })

let client: QueryClient
let stop: () => void
const listed = () =>
  client.getQueryData<ListData<Entity>>(queryKeys.entityList({}))!.pages.flatMap(({ rows }) => rows)

beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
  const queryKey = queryKeys.entityList({})
  client.setQueryData(queryKey, data)
  const options = { queryKey, queryFn: () => data, staleTime: Number.POSITIVE_INFINITY }
  stop = new QueryObserver(client, options).subscribe(() => {})
  fetchEntities.mockReset()
  fetchEntities.mockImplementation(async (_, cursor) => page(cursor === 'c1' ? 2 : 0, cursor ? null : 'c1'))
})
afterEach(() => {
  stop()
  client.clear()
  vi.useRealTimers()
})

test('an observation counts at once; a card further down gets its new facts with its page', async () => {
  const fresh = {
    ...entity(3),
    observationsCount: 4,
    observations: [{ id: 'obs_1', content: 'News', createdAt: '' }],
  }
  fetchEntities.mockImplementation(async (_, cursor) =>
    cursor === 'c1' ? { ...page(2, null), rows: [entity(2), fresh] } : page(0, 'c1'),
  )
  createEntityUpdates(client)(observed('ent_3'))
  expect(listed()[3]).toMatchObject({ observationsCount: 4 })
  await vi.advanceTimersByTimeAsync(10)
  expect(listed()[3]).toEqual(fresh)
})

test('a stream of events reloads the open entity now and then, and once after the last', async () => {
  const read = vi.fn(async () => ({ entity: entity(0), version: '1' }))
  const queryKey = queryKeys.entity('ent_0')
  const close = new QueryObserver(client, { queryKey, queryFn: read }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  const update = createEntityUpdates(client)
  for (let i = 0; i < 100; i++) {
    update(observed('ent_0'))
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(5_000)
  expect(read.mock.calls.length, 'the first, and one each 300 ms').toBeLessThanOrEqual(6)
  expect(read.mock.calls.length).toBeGreaterThanOrEqual(4)
  close()
})

test('a new name is shown in every list, and deleted entities leave them', () => {
  const update = createEntityUpdates(client)
  update(event('entity_updated', { id: 'ent_2', name: 'Renamed', type: 'person' }))
  expect(listed()[2]).toMatchObject({ name: 'Renamed', type: 'person', observationsCount: 2 })
  update(event('entity_deleted', { entityId: 'ent_1', name: 'Name 1' }))
  expect(listed().map(({ id }) => id)).toEqual(['ent_0', 'ent_2', 'ent_3'])
})
