import { describe, expect, test } from 'vitest'
import { type Edge, rankFromSeeds } from './expand-over-graph.ts'

const rank = (seeds: [number, number][], edges: Edge[]) => rankFromSeeds(new Map(seeds), edges)

describe('ranks from seeds', () => {
  test('leave out the seeds and whatever no path reaches', () => {
    const ranks = rank(
      [[1, 1]],
      [
        [1, 2],
        [8, 9],
      ],
    )
    expect([...ranks.keys()]).toEqual([2])
  })

  test('are 1 for the only neighbour', () => {
    expect(rank([[1, 1]], [[1, 2]]).get(2)).toBeCloseTo(1)
  })

  test('fall with the distance', () => {
    const ranks = rank(
      [[1, 1]],
      [
        [1, 2],
        [2, 3],
        [3, 4],
      ],
    )
    expect(ranks.get(2)).toBeGreaterThan(ranks.get(3)!)
    expect(ranks.get(3)).toBeGreaterThan(ranks.get(4)!)
  })

  test('ignore the direction of edges', () => {
    expect(
      rank(
        [[1, 1]],
        [
          [2, 1],
          [3, 2],
        ],
      ),
    ).toEqual(
      rank(
        [[1, 1]],
        [
          [1, 2],
          [2, 3],
        ],
      ),
    )
  })

  test('are higher for a node that joins two seeds than for one linked to a single seed', () => {
    const ranks = rank(
      [
        [1, 1],
        [2, 1],
      ],
      [
        [1, 5],
        [5, 2],
        [1, 6],
      ],
    )
    expect(ranks.get(5)).toBeGreaterThan(ranks.get(6)!)
  })

  test('follow the weights of the seeds', () => {
    const ranks = rank(
      [
        [1, 3],
        [2, 1],
      ],
      [
        [1, 5],
        [2, 6],
      ],
    )
    expect(ranks.get(5)).toBeGreaterThan(ranks.get(6)!)
  })

  test('are divided among the neighbours of a node', () => {
    const ranks = rank(
      [
        [1, 1],
        [2, 1],
      ],
      [
        [1, 5],
        [2, 6],
        [2, 7],
        [2, 8],
      ],
    )
    expect(ranks.get(5)).toBeGreaterThan(ranks.get(6)!)
  })

  test('lie between 0 and 1', () => {
    const star = Array.from({ length: 30 }, (_, node): Edge => [1, node + 2])
    const ranks = [...rank([[1, 1]], [...star, [2, 50], [2, 51]]).values()]
    expect(Math.min(...ranks)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...ranks)).toBeLessThanOrEqual(1)
  })

  test('are low where everything is connected to everything', () => {
    const edges: Edge[] = []
    for (let a = 1; a <= 12; a += 1) for (let b = a + 1; b <= 12; b += 1) edges.push([a, b])
    for (const value of rank([[1, 1]], edges).values()) expect(value).toBeLessThan(0.4)
  })

  test.each<[string, [number, number][], Edge[]]>([
    ['no seeds', [], [[1, 2]]],
    ['no edges', [[1, 1]], []],
    ['seeds without weight', [[1, 0]], []],
  ])('of %s are none', (_, seeds, edges) => {
    expect(rank(seeds, edges).size).toBe(0)
  })
})
