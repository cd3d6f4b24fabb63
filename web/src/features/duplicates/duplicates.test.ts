import type { Duplicate } from '@loci/contract/duplicates'
import { expect, test, vi } from 'vitest'
import { pairsOf } from './duplicates.queries.ts'
import { likelihoodOf } from './likelihood.ts'

vi.mock('../../lib/api.ts', () => ({ api: {} }))

const pair = (score: number, ...ids: string[]) =>
  ({ score, entities: ids.map((id) => ({ id })) }) as unknown as Duplicate

test('a pair on two pages, in either order, is listed once with the latest data', () => {
  const data = {
    pages: [
      { duplicates: [pair(0.9, 'a', 'b'), pair(0.8, 'c', 'd')] },
      { duplicates: [pair(0.7, 'b', 'a')] },
    ],
  }
  expect(pairsOf(data).map(({ score }) => score)).toEqual([0.7, 0.8])
  expect(pairsOf(undefined)).toEqual([])
})

test('a score is described in words that do not promise more than it says', () => {
  expect([0.85, 0.8499, 0.7, 0.6999].map(likelihoodOf)).toEqual([
    'Very likely the same',
    'Likely the same',
    'Likely the same',
    'Possibly the same',
  ])
})
