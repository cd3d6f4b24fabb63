import type { GraphData } from '@loci/contract/graph'
import type { GraphEvent } from '@loci/contract/realtime'
import type { GraphChange } from '@loci/graph/types'
import { expect, test } from 'vitest'
import { liveGraphOf } from './live-graph.ts'
import { applyEvents, patchGraph } from './patch-graph.ts'

const timestamp = '2026-01-01T00:00:00.000Z'
const about = { id: 'evt_1', timestamp, seq: 1 }
const entity = (id: string) => ({
  id,
  name: id,
  type: 'concept',
  observationsCount: 0,
  createdAt: timestamp,
  updatedAt: timestamp,
})
const ends = { fromEntityId: 'a', toEntityId: 'b', relationType: 'uses' }
const graph: GraphData = {
  entities: [entity('a'), entity('b')],
  relations: [{ id: 'r', ...ends, createdAt: timestamp }],
  truncated: false,
}
const created = {
  ...about,
  type: 'entity_created',
  payload: { id: 'c', name: 'c', type: 'concept' },
} satisfies GraphEvent

function after(events: GraphEvent[]) {
  const live = liveGraphOf(graph)
  applyEvents(live, events, true)
  return live
}

test('a new entity enters an open graph, and only that', () => {
  expect([...after([created]).entities()]).toEqual([...graph.entities, entity('c')])
  expect(patchGraph(graph, [created])).toBe(graph)
  const cut = liveGraphOf({ ...graph, truncated: true })
  applyEvents(cut, [created], true)
  expect(cut.entityCount).toBe(2)
})

test('an event that arrives twice changes nothing the second time', () => {
  const live = after([created])
  const { version } = live
  applyEvents(live, [created], true)
  expect(live.version).toBe(version)
  const again: GraphEvent = { ...about, type: 'relation_created', payload: { id: 'r', ...ends } }
  expect(patchGraph(graph, [again])).toBe(graph)
})

test('followers get the differences, once for all events', () => {
  const live = liveGraphOf(graph)
  const told: GraphChange[] = []
  const stop = live.follow((change) => told.push(change))
  const related: GraphEvent = {
    ...about,
    type: 'relation_created',
    payload: { ...ends, id: 'r2', toEntityId: 'c' },
  }
  const gone: GraphEvent = { ...about, type: 'entity_deleted', payload: { entityId: 'b', name: 'b' } }
  const fleeting = { ...created, payload: { ...created.payload, id: 'd' } }
  const leaving: GraphEvent = { ...about, type: 'entity_deleted', payload: { entityId: 'd', name: 'd' } }
  applyEvents(live, [created, related, gone, fleeting, leaving], true)
  expect(told).toMatchObject([
    { nodes: [{ id: 'c' }], edges: [{ id: 'r2' }], nodesGone: ['b', 'd'], edgesGone: [{ id: 'r' }] },
  ])
  expect(live.types).toEqual([{ type: 'concept', count: 2 }])
  expect(live.relationsAt('a').map(({ id }) => id)).toEqual(['r2'])
  stop()
  applyEvents(live, [leaving, gone, { ...gone, payload: { entityId: 'a', name: 'a' } }], true)
  expect(told).toHaveLength(1)
})

test('a removed entity takes its relations with it', () => {
  const event: GraphEvent = { ...about, type: 'entity_deleted', payload: { entityId: 'a', name: 'a' } }
  expect(patchGraph(graph, [event])).toEqual({ ...graph, entities: [entity('b')], relations: [] })
})

test('a relation with a hidden end stays out', () => {
  const payload = { ...ends, id: 'r2', toEntityId: 'z' }
  expect(patchGraph(graph, [{ ...about, type: 'relation_created', payload }])).toBe(graph)
})

test('renamed entities, new observations and changed relation types are applied', () => {
  const events: GraphEvent[] = [
    { ...about, type: 'entity_updated', payload: { id: 'a', name: 'Ada', type: 'person' } },
    { ...about, type: 'observation_added', payload: { entityId: 'a', observationId: 'obs_1' } },
    { ...about, type: 'relation_updated', payload: { id: 'r', ...ends, relationType: 'extends' } },
  ]
  const patched = patchGraph(graph, events)
  expect(patched.entities[0]).toMatchObject({ name: 'Ada', type: 'person', observationsCount: 1 })
  expect(patched.relations[0]?.relationType).toBe('extends')
})

test('deleted observations are no longer counted', () => {
  const counted = { ...graph, entities: graph.entities.map((one) => ({ ...one, observationsCount: 3 })) }
  const payload = { id: 'a', name: 'Ada', type: 'person', observationsDeleted: ['obs_1', 'obs_2'] }
  const patched = patchGraph(counted, [{ ...about, type: 'entity_updated', payload }])
  expect(patched.entities[0]).toMatchObject({ name: 'Ada', observationsCount: 1 })
})

test('a relation moved by a merge is drawn between its new ends', () => {
  const events: GraphEvent[] = [
    created,
    { ...about, type: 'relation_updated', payload: { ...ends, id: 'r', fromEntityId: 'c' } },
    { ...about, type: 'entity_deleted', payload: { entityId: 'a', name: 'a' } },
  ]
  const live = after(events)
  expect([...live.relations()]).toMatchObject([{ id: 'r', fromEntityId: 'c', toEntityId: 'b' }])
})

test('a deleted relation is removed', () => {
  const event: GraphEvent = { ...about, type: 'relation_deleted', payload: { relationId: 'r' } }
  expect(patchGraph(graph, [event]).relations).toEqual([])
})
