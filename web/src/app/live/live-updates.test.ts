import type { GraphEvent } from '@loci/contract/realtime'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryKeys } from '../../lib/query-keys.ts'
import { createLiveUpdates } from './live-updates.ts'

vi.mock('../../lib/api.ts', () => ({ api: {} }))
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const payload = { id: 'ent_1', name: 'Ada', type: 'person', observationsDeleted: ['obs_1'] }
const event: GraphEvent = { id: 'evt_1', type: 'entity_updated', payload, timestamp: '', seq: 1 }

test('a deleted observation refreshes every open screen, searches at most every five seconds', async () => {
  const client = new QueryClient()
  const screens = {
    entity: queryKeys.entity('ent_1'),
    search: queryKeys.searchResults({ query: 'ada' }),
    summary: queryKeys.summary(),
    history: queryKeys.historyList({}),
    types: queryKeys.entityTypes(),
    surroundings: queryKeys.entityGraph('ent_1'),
  }
  const fetched = Object.entries(screens).map(([name, queryKey]) => {
    const data = name === 'surroundings' ? { entities: [], relations: [] } : name
    const queryFn = vi.fn(async () => data)
    client.setQueryData<unknown>(queryKey, data)
    const options = { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }
    return { queryFn, stop: new QueryObserver(client, options).subscribe(() => {}) }
  })
  const tell = createLiveUpdates(client)
  tell(event)
  await vi.advanceTimersByTimeAsync(0)
  expect(fetched.map(({ queryFn }) => queryFn.mock.calls.length)).toEqual(Object.keys(screens).map(() => 1))
  tell(event)
  await vi.advanceTimersByTimeAsync(4_900)
  expect(fetched[1]?.queryFn).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(fetched[1]?.queryFn).toHaveBeenCalledTimes(2)
  for (const { stop } of fetched) stop()
  client.clear()
})
