import type { GraphData } from '@loci/contract/graph'
import { expect, test } from 'vitest'
import { type Expansion, guestsOf } from './guests.ts'
import { type LiveGraph, liveGraphOf } from './live-graph.ts'
import { GraphRenewal } from './renew-graph.ts'

const createdAt = '2026-01-01T00:00:00.000Z'

/** `a-b` is a relation from a to b. */
function graph(ids: string, ...relations: string[]): GraphData {
  return {
    entities: [...ids].map((id) => ({
      id,
      name: id,
      type: 'concept',
      observationsCount: 0,
      createdAt,
      updatedAt: createdAt,
    })),
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
/** The graph shown for `base` with its guests. */
function shown(base: GraphData, expansions: Expansion[], path?: GraphData) {
  const live = liveGraphOf(base)
  live.setGuests(guestsOf(expansions, path))
  return live
}
const idsOf = (live: LiveGraph) => [...live.entities()].map(({ id }) => id).join('')
const relationsOf = (live: LiveGraph) => [...live.relations()].map(({ id }) => id).sort()

test('an expansion adds neighbours and their relations to what is shown, and no more', () => {
  const around = graph('bcad', 'a-b', 'c-b', 'c-a', 'c-d')
  const live = shown(graph('ab', 'a-b'), [{ rootId: 'b', graph: around }])
  expect(idsOf(live)).toBe('abc')
  expect(relationsOf(live)).toEqual(['a-b', 'c-a', 'c-b'])
})

test('an expanded entity without neighbours is shown', () => {
  expect(idsOf(shown(graph('a'), [{ rootId: 'z', graph: graph('z') }]))).toBe('az')
})

test('a path adds its entities, and they leave with it', () => {
  const live = shown(graph('a'), [], graph('abc', 'a-b', 'b-c'))
  expect(idsOf(live)).toBe('abc')
  expect(relationsOf(live)).toEqual(['a-b', 'b-c'])
  live.setGuests(guestsOf([]))
  expect(idsOf(live)).toBe('a')
  expect(relationsOf(live)).toEqual([])
})

test('a guest that has become part of the graph stays', () => {
  const live = shown(graph('a'), [{ rootId: 'b', graph: graph('bc', 'b-c') }])
  const renewal = new GraphRenewal(live)
  renewal.take(graph('ab', 'a-b'))
  renewal.end(false)
  expect(idsOf(live)).toBe('abc')
  live.setGuests(guestsOf([]))
  expect(idsOf(live)).toBe('ab')
  expect(relationsOf(live)).toEqual(['a-b'])
})
