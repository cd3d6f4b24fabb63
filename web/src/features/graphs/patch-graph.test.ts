import type { GraphData } from '@loci/contract/graph'
import type { GraphEvent } from '@loci/contract/realtime'
import { expect, test } from 'vitest'
import { patchGraph } from './patch-graph.ts'

const timestamp = '2026-01-01T00:00:00.000Z'
const about = { id: 'evt_1', timestamp, seq: 1 }
const entity = (id: string) => ({
  id,
  name: id,
  type: 'concept',
  observationsCount: 0,
  createdAt: timestamp,
})
const ends = { fromEntityId: 'a', toEntityId: 'b', relationType: 'uses' }
const graph: GraphData = {
  entities: [entity('a'), entity('b')],
  relations: [{ id: 'r', ...ends, createdAt: timestamp }],
  truncated: false,
}
const created: GraphEvent = {
  ...about,
  type: 'entity_created',
  payload: { id: 'c', name: 'c', type: 'concept' },
}

test('a new entity enters an open graph, and only that', () => {
  expect(patchGraph(graph, [created], true).entities).toEqual([...graph.entities, entity('c')])
  expect(patchGraph(graph, [created], false)).toBe(graph)
  const cut = { ...graph, truncated: true }
  expect(patchGraph(cut, [created], true)).toBe(cut)
})

test('an event that arrives twice changes nothing the second time', () => {
  const once = patchGraph(graph, [created], true)
  expect(patchGraph(once, [created], true)).toBe(once)
  const again: GraphEvent = { ...about, type: 'relation_created', payload: { id: 'r', ...ends } }
  expect(patchGraph(graph, [again], true)).toBe(graph)
})

test('an entity takes its relations with it', () => {
  const event: GraphEvent = { ...about, type: 'entity_deleted', payload: { entityId: 'a', name: 'a' } }
  expect(patchGraph(graph, [event], true)).toEqual({ ...graph, entities: [entity('b')], relations: [] })
})

test('a relation with an end that is not shown stays out', () => {
  const payload = { ...ends, id: 'r2', toEntityId: 'z' }
  expect(patchGraph(graph, [{ ...about, type: 'relation_created', payload }], true)).toBe(graph)
})

test('a renamed entity, a new observation and a changed relation type are taken over', () => {
  const events: GraphEvent[] = [
    { ...about, type: 'entity_updated', payload: { id: 'a', name: 'Ada', type: 'person' } },
    { ...about, type: 'observation_added', payload: { entityId: 'a', observationId: 'obs_1' } },
    { ...about, type: 'relation_updated', payload: { id: 'r', ...ends, relationType: 'extends' } },
  ]
  const patched = patchGraph(graph, events, true)
  expect(patched.entities[0]).toMatchObject({ name: 'Ada', type: 'person', observationsCount: 1 })
  expect(patched.relations[0]?.relationType).toBe('extends')
})

test('a deleted relation goes', () => {
  const event: GraphEvent = { ...about, type: 'relation_deleted', payload: { relationId: 'r' } }
  expect(patchGraph(graph, [event], true).relations).toEqual([])
})
