import type { Change, ChangeOperation } from '@loci/contract/changes'
import { GraphEvent } from '@loci/contract/realtime'
import { describe, expect, test } from 'vitest'
import { correctionsOf, toGraphEvents } from './realtime.rules.ts'

const ada = { id: 'ent_1', name: 'Ada', type: 'person' }
const link = { id: 'rel_1', fromEntityId: 'ent_1', toEntityId: 'ent_2', type: 'knows', relationType: 'knows' }
let newest = 0
const change = (operation: ChangeOperation, subject: object, more: Partial<Change> = {}) => {
  newest += 1
  return {
    ...{ seq: newest, setId: 'set_1', at: '2026-11-23T12:00:00.000Z', operation, subject },
    ...{ before: null, after: null, ...more },
  } as Change
}
const observation = (operation: ChangeOperation, id: string, entityId = 'ent_1') =>
  change(operation, { kind: 'observation', id, entityId })
const eventsOf = (changes: Change[], present = [ada]) =>
  toGraphEvents(changes, new Map(present.map((entity) => [entity.id, entity])))

describe('a change as an event', () => {
  test('has the time and the place of the change, and fits the contract', () => {
    const created = change(
      'entity_created',
      { kind: 'entity', id: 'ent_1' },
      { after: { ...ada, metadata: {} } },
    )
    const [told] = eventsOf([created])
    expect(told).toMatchObject({
      entityIds: ['ent_1'],
      event: { id: `evt_${created.seq}`, seq: created.seq, timestamp: created.at, type: 'entity_created' },
    })
    expect(GraphEvent.parse(told!.event).payload).toMatchObject({ name: 'Ada' })
  })

  test('of a relation concerns both ends, and those that it had before', () => {
    const moved = change(
      'relation_updated',
      { kind: 'relation', id: 'rel_1' },
      { before: link, after: { ...link, toEntityId: 'ent_3' } },
    )
    expect(eventsOf([moved])[0]?.entityIds).toEqual(['ent_1', 'ent_3', 'ent_2'])
    const deleted = change('relation_deleted', { kind: 'relation', id: 'rel_1' }, { before: link })
    expect(eventsOf([deleted])[0]).toMatchObject({
      ...{ entityIds: ['ent_1', 'ent_2'], event: { payload: { relationId: 'rel_1' } } },
    })
  })

  test('of a relation to itself concerns its entity once', () => {
    const own = { ...link, toEntityId: 'ent_1' }
    const created = change('relation_created', { kind: 'relation', id: 'rel_1' }, { after: own })
    expect(eventsOf([created])[0]?.entityIds).toEqual(['ent_1'])
  })

  test.each<[ChangeOperation, object]>([
    ['entity_deleted', { entityId: 'ent_1', name: 'Ada' }],
    ['entity_merged', { entityId: 'ent_1', name: 'Ada', merged: true }],
    ['entity_erased', { entityId: 'ent_1', name: 'Ada' }],
  ])('%s tells that the entity is gone: %j', (operation, payload) => {
    const gone = change(operation, { kind: 'entity', id: 'ent_1' }, { before: ada })
    expect(eventsOf([gone])[0]?.event).toMatchObject({ type: 'entity_deleted', payload })
  })

  test('whose states were erased is left out, a deletion without the name', () => {
    expect(
      eventsOf([change('entity_created', { id: 'ent_1' }), change('relation_created', { id: 'rel_1' })]),
    ).toEqual([])
    expect(eventsOf([change('entity_deleted', { id: 'ent_1' })])[0]?.event.payload).toEqual({
      ...{ entityId: 'ent_1', name: '' },
    })
    expect(eventsOf([change('relation_deleted', { id: 'rel_1' })])[0]?.entityIds).toEqual([])
  })
})

describe('erasing an entity', () => {
  test('that exists is one event, not two', () => {
    const [deleted, erased] = (['entity_deleted', 'entity_erased'] as const).map((operation) =>
      change(operation, { kind: 'entity', id: 'ent_1' }, { before: ada }),
    )
    expect(eventsOf([deleted!, erased!])).toHaveLength(1)
    expect(eventsOf([deleted!, { ...erased!, setId: 'set_2' }])).toHaveLength(2)
    expect(
      eventsOf([deleted!, { ...erased!, subject: { kind: 'entity', id: 'ent_2' } } as Change]),
    ).toHaveLength(2)
  })
})

describe('corrected observations', () => {
  test('become one update of their entity, at the last of them', () => {
    const changes = [
      observation('observation_updated', 'obs_1'),
      observation('observation_added', 'obs_9'),
      observation('observation_deleted', 'obs_2'),
      observation('observation_deleted', 'obs_3'),
    ]
    const events = eventsOf(changes).map(({ event }) => event)
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([
      ['observation_added', changes[1]!.seq],
      ['entity_updated', changes[3]!.seq],
    ])
    expect(events[1]!.payload).toEqual({
      ...ada,
      observationsUpdated: ['obs_1'],
      observationsDeleted: ['obs_2', 'obs_3'],
    })
  })

  test('of two entities are two updates', () => {
    const bob = { id: 'ent_2', name: 'Bob', type: 'person' }
    const changes = [
      observation('observation_deleted', 'obs_1'),
      observation('observation_deleted', 'obs_2', 'ent_2'),
    ]
    expect(eventsOf(changes, [ada, bob]).map(({ entityIds }) => entityIds)).toEqual([['ent_1'], ['ent_2']])
  })

  test('of an entity that is gone are not told', () => {
    expect(eventsOf([observation('observation_deleted', 'obs_1')], [])).toEqual([])
  })

  test('are counted once each, however often one was corrected', () => {
    const changes = ['obs_1', 'obs_1', 'obs_2'].map((id) => observation('observation_updated', id))
    const found = correctionsOf(changes).get('ent_1')
    expect([...found!.updated]).toEqual(['obs_1', 'obs_2'])
    expect(found!.lastSeq).toBe(changes[2]!.seq)
  })
})
