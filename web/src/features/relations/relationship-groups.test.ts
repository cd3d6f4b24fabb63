import type { Relation } from '@loci/contract/relations'
import { expect, test } from 'vitest'
import { groupRelationships } from './relationship-groups.ts'

const relation = (id: string, from: string, type: string, to: string): Relation => ({
  id,
  fromEntityId: from,
  toEntityId: to,
  type,
  relationType: type,
  createdAt: '2026-11-22T10:00:00.000Z',
  fromEntity: { name: from, type: 'thing' },
  toEntity: { name: to, type: 'thing' },
})

test('relationships are grouped by type and direction, outgoing first, the largest first', () => {
  const groups = groupRelationships(
    [
      relation('1', 'b', 'owns', 'a'),
      relation('2', 'a', 'uses', 'c'),
      relation('3', 'a', 'owns', 'd'),
      relation('4', 'a', 'uses', 'e'),
      relation('5', 'f', 'owns', 'a'),
    ],
    'a',
  )
  expect(
    groups.map(({ type, isOutgoing, items }) => [type, isOutgoing, items.map(({ other }) => other.name)]),
  ).toEqual([
    ['uses', true, ['c', 'e']],
    ['owns', true, ['d']],
    ['owns', false, ['b', 'f']],
  ])
  expect(groupRelationships([relation('1', 'a', 'is', 'a')], 'a')).toHaveLength(1)
})
