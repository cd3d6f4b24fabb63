import type { EntityWithObservations } from '@loci/contract/entities'
import { expect, test } from 'vitest'
import { cutLabel, fallbackGraph, observationNodeType } from './fallback-graph.ts'

const at = '2026-11-22T10:00:00Z'
const entity = (contents: string[]) =>
  ({
    id: 'ent_1',
    name: 'Ada',
    type: 'person',
    createdAt: at,
    observationsCount: contents.length,
    observations: contents.map((content, index) => ({ id: `obs_${index}`, content, createdAt: at })),
  }) as unknown as EntityWithObservations

test('an entity is surrounded by its first ten observations, each contained and shortened', () => {
  const graph = fallbackGraph(entity(Array.from({ length: 12 }, (_, index) => `${index} `.padEnd(40, 'x'))))
  expect(graph.entities).toHaveLength(11)
  expect(graph.entities[1]).toMatchObject({ type: observationNodeType, name: `0 ${'x'.repeat(28)}...` })
  expect(new Set(graph.relations.map(({ relationType }) => relationType))).toEqual(new Set(['contains']))
  expect(graph.relations.every(({ fromEntityId }) => fromEntityId === 'ent_1')).toBe(true)
  expect(graph.truncated).toBe(true)
  expect(fallbackGraph(entity(['One'])).truncated).toBe(false)
})

test('a label is cut between characters, never through one', () => {
  expect(cutLabel('🚀'.repeat(4), 3)).toBe('🚀🚀🚀...')
  expect(cutLabel('🚀'.repeat(3), 3)).toBe('🚀🚀🚀')
})
