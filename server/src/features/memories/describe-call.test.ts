import type { Change } from '@loci/contract/changes'
import { describe, expect, test } from 'vitest'
import { describeCall } from './describe-call.ts'

const change = (seq: number, more: object): Change =>
  ({
    ...{ seq, at: `2026-11-0${seq}T10:20:30.000Z`, actor: { kind: 'key' }, before: null, after: null },
    ...{ operation: 'entity_created', subject: { kind: 'entity', id: `ent_${seq}` }, ...more },
  }) as unknown as Change
const entity = (id: string) => ({ kind: 'entity', id })
const observation = { kind: 'observation', id: 'obs_1', entityId: 'ent_1' }
const relation = { kind: 'relation', id: 'rel_1' }
const ends = (relationType: string, type = relationType) => ({
  ...{ relationType, type, fromEntityId: 'ent_1', toEntityId: 'ent_2' },
  ...{ fromEntity: { name: 'Ada' }, toEntity: { name: 'Engine' } },
})
const names = new Map([
  ['ent_1', 'Ada'],
  ['ent_2', 'Engine'],
])
const detailOf = (more: object) => describeCall({ changes: [change(1, more)] }, names, 5).details[0]

describe('a call', () => {
  test('names six entities, in the order of the changes, and counts the others', () => {
    const changes = [8, 7, 6, 5, 4, 3, 2, 1].map((seq) =>
      change(seq, { subject: { ...entity(`ent_${seq}x`), name: `N${seq}` } }),
    )
    const { entities, more } = describeCall({ changes }, names, 0)
    expect([entities, more]).toEqual([['N1', 'N2', 'N3', 'N4', 'N5', 'N6'], 2])
  })

  test('lists the details of its newest changes, oldest first', () => {
    const after = (content: string) => ({
      operation: 'observation_added',
      subject: observation,
      after: { content },
    })
    const changes = [change(3, after('c')), change(2, after('b')), change(1, after('a'))]
    expect(describeCall({ changes }, names, 2).details).toEqual(['+ Ada: "b" [obs_1]', '+ Ada: "c" [obs_1]'])
  })

  test('knows the present name of an entity, its former name, or that it is gone', () => {
    const subjects = [
      { ...entity('ent_1'), name: 'Old' },
      { ...entity('ent_9'), name: 'Gone' },
      entity('ent_8'),
    ]
    const changes = subjects.map((subject, index) => change(3 - index, { subject }))
    expect(describeCall({ changes }, names, 0).entities).toEqual(['a deleted entity', 'Gone', 'Ada'])
  })
})

describe('a detail of', () => {
  test.each<[string, object, string]>([
    ['a new entity', { subject: entity('ent_1'), after: { type: 'person' } }, '+ Ada (person)'],
    [
      'a merged entity',
      { operation: 'entity_merged', subject: entity('ent_1'), before: { type: 'person' } },
      'merged Ada (person)',
    ],
    [
      'a correction',
      {
        operation: 'observation_updated',
        subject: observation,
        before: { content: 'a' },
        after: { content: 'b' },
      },
      '+ Ada: "b" [obs_1] (was "a")',
    ],
    [
      'other metadata of an observation',
      {
        operation: 'observation_updated',
        subject: observation,
        before: { content: 'a', metadata: { by: 'b' } },
        after: { content: 'a', metadata: { by: 'c' }, at: '2019' },
      },
      'Ada: "a" [obs_1] has another metadata, at is now 2019',
    ],
    [
      'an observation that another took the place of',
      {
        operation: 'observation_updated',
        subject: observation,
        before: { content: 'a' },
        after: { content: 'a', replacedBy: 'obs_2', until: '2026-02' },
      },
      'Ada: "a" [obs_1] is replaced by obs_2',
    ],
    [
      'an observation that is back in its place',
      {
        operation: 'observation_updated',
        subject: observation,
        before: { content: 'a', replacedBy: 'obs_2' },
        after: { content: 'a' },
      },
      'Ada: "a" [obs_1] is no longer replaced',
    ],
    [
      'an observation that replaces others and has other times',
      {
        operation: 'observation_updated',
        subject: observation,
        before: { content: 'a', at: '2025', until: '2026', replaces: ['obs_2'] },
        after: {
          content: 'a',
          at: '2026-02',
          replaces: ['obs_2', 'obs_3'],
          updatedAt: '2026-12-01',
          metadata: {},
        },
      },
      'Ada: "a" [obs_1] at is now 2026-02, has no until now, replaces obs_3, has another metadata',
    ],
    [
      'an observation whose file has changed',
      {
        operation: 'observation_updated',
        subject: observation,
        before: { content: 'a', files: [{ path: 'a.ts' }] },
        after: { content: 'a', files: [{ path: 'a.ts' }], stale: [{ path: 'a.ts' }] },
      },
      'Ada: "a" [obs_1] is stale',
    ],
    [
      'an observation that was confirmed',
      {
        operation: 'observation_updated',
        subject: observation,
        before: { content: 'a', files: [{ path: 'a.ts', hash: '1' }], stale: [{ path: 'a.ts' }] },
        after: { content: 'a', files: [{ path: 'a.ts', hash: '2' }] },
      },
      'Ada: "a" [obs_1] is confirmed',
    ],
    [
      'a new relation',
      { operation: 'relation_created', subject: relation, after: ends('knows') },
      '+ Ada -> knows -> Engine',
    ],
    [
      'another relation type',
      { operation: 'relation_updated', subject: relation, before: ends('knew'), after: ends('knows') },
      'Ada -> knows -> Engine (was knew)',
    ],
    [
      'other aliases',
      {
        ...{ operation: 'entity_updated', subject: entity('ent_1') },
        ...{ before: { name: 'Ada', type: 'x' }, after: { name: 'Ada', type: 'x', aliases: ['AAL'] } },
      },
      'Ada: other names are now ["AAL"]',
    ],
    ['an erased change', { subject: entity('ent_1'), erased: true }, 'entity created: erased since'],
  ])('%s', (_, more, detail) => {
    expect(detailOf(more)).toBe(detail)
  })

  test('a long text is shortened', () => {
    const after = { content: 'x'.repeat(500) }
    expect(detailOf({ operation: 'observation_added', subject: observation, after })).toBe(
      `+ Ada: "${'x'.repeat(160)}..." [obs_1]`,
    )
  })
})
