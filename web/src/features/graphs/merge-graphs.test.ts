import type { GraphData } from '@loci/contract/graph'
import { expect, test } from 'vitest'
import { mergeGraphs } from './merge-graphs.ts'

const createdAt = '2026-01-01T00:00:00.000Z'

/** `a-b` is a relation from a to b. */
function graph(ids: string, ...relations: string[]): GraphData {
  return {
    entities: [...ids].map((id) => ({ id, name: id, type: 'concept', observationsCount: 0, createdAt })),
    relations: relations.map((id) => ({
      id,
      fromEntityId: id[0]!,
      toEntityId: id[2]!,
      relationType: 'uses',
      createdAt,
    })),
    truncated: false,
  }
}
const idsOf = ({ entities }: GraphData) => entities.map(({ id }) => id).join('')
const relationsOf = ({ relations }: GraphData) => relations.map(({ id }) => id).sort()

test('an expansion brings in neighbours and their relations with what is there, no more', () => {
  const base = graph('ab', 'a-b')
  const around = graph('bcad', 'a-b', 'c-b', 'c-a', 'c-d')
  const merged = mergeGraphs(base, [{ rootId: 'b', graph: around }])
  expect(idsOf(merged)).toBe('abc')
  expect(relationsOf(merged)).toEqual(['a-b', 'c-a', 'c-b'])
})

test('an expanded entity that stands alone is shown', () => {
  expect(idsOf(mergeGraphs(graph('a'), [{ rootId: 'z', graph: graph('z') }]))).toBe('az')
})

test('a path brings in its entities', () => {
  const merged = mergeGraphs(graph('a'), [], graph('abc', 'a-b', 'b-c'))
  expect(idsOf(merged)).toBe('abc')
  expect(relationsOf(merged)).toEqual(['a-b', 'b-c'])
})
