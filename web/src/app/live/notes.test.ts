import type { GraphEvent } from '@loci/contract/realtime'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { queryKeys } from '../../lib/query-keys.ts'
import { nameInCache } from './name-in-cache.ts'
import { noteOf } from './notes.ts'

const stamp = { id: 'evt_1', timestamp: '2026-01-01T00:00:00.000Z', seq: 1 }
const ada = { id: 'ent_1', name: 'Ada', type: 'person' }
const relation = { id: 'rel_1', fromEntityId: 'ent_1', toEntityId: 'ent_2', relationType: 'knows' }
const tell = (event: Pick<GraphEvent, 'type' | 'payload'>, name?: string) =>
  noteOf({ ...stamp, ...event } as GraphEvent, () => name)

test('every kind of change has a note', () => {
  expect(tell({ type: 'entity_created', payload: ada }).text).toBe('Entity created: Ada')
  expect(tell({ type: 'entity_updated', payload: ada }).text).toBe('Entity updated: Ada')
  expect(tell({ type: 'entity_deleted', payload: { entityId: 'ent_1', name: 'Ada' } }).text).toBe(
    'Entity deleted: Ada',
  )
  expect(tell({ type: 'relation_created', payload: relation }).text).toBe('Relation created: knows')
  expect(tell({ type: 'relation_updated', payload: relation })).toMatchObject({
    text: 'Relation updated: knows',
    entityId: 'ent_1',
  })
  expect(tell({ type: 'relation_deleted', payload: { relationId: 'rel_1' } }).text).toBe(
    'Relation deleted: rel_1',
  )
})

test('notes are specific about what happened to an entity', () => {
  const update = (ids: object) => tell({ type: 'entity_updated', payload: { ...ada, ...ids } })
  expect(update({ observationsUpdated: ['obs_1'] })).toEqual({
    id: 'observations of ent_1',
    text: 'Observation updated: Ada',
    entityId: 'ent_1',
  })
  expect(update({ observationsDeleted: ['obs_1', 'obs_2'] }).text).toBe('Observations deleted: Ada')
  const both = { observationsUpdated: ['obs_1'], observationsDeleted: ['obs_2'] }
  expect(update(both).text).toBe('Observations updated: Ada')
  const gone = (payload: object) =>
    tell({ type: 'entity_deleted', payload: { entityId: 'ent_1', name: 'Ada', ...payload } }).text
  expect(gone({ merged: true })).toBe('Entity merged: Ada')
  expect(gone({ name: '' })).toBe('Entity erased')
})

test('notes of observations name the entity, once for any number', () => {
  const added = { type: 'observation_added', payload: { entityId: 'ent_1', observationId: 'obs_1' } } as const
  const first = tell(added, 'Ada')
  const second = tell({ ...added, payload: { ...added.payload, observationId: 'obs_2' } }, 'Ada')
  expect(first).toMatchObject({ text: 'Observation added: Ada', entityId: 'ent_1' })
  expect(second.id).toBe(first.id)
  expect(tell(added).text).toBe('Observation added')
})

test("names come from the entity's page or from a list", () => {
  const client = new QueryClient()
  expect(nameInCache(client, 'ent_1')).toBeUndefined()
  client.setQueryData(queryKeys.entityList({}), {
    pages: [{ rows: [ada], total: 1, nextCursor: null }],
    pageParams: [undefined],
  })
  expect(nameInCache(client, 'ent_1')).toBe('Ada')
  client.setQueryData(queryKeys.entity('ent_1'), { entity: { ...ada, name: 'Ada Lovelace' } })
  expect(nameInCache(client, 'ent_1')).toBe('Ada Lovelace')
})
