import { expect, test } from 'vitest'
import type { GraphChange } from '../types.ts'
import { Feed } from './feed.ts'

const nodes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `n${i}`, name: `${i}`, type: 't', observationsCount: 0 }))
const edges = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `e${i}`,
    fromEntityId: `n${i}`,
    toEntityId: 'n0',
    relationType: 't',
  }))
const sizesOf = ({ nodes = [], edges = [] }: GraphChange) => [[...nodes].length, [...edges].length]

function feeding() {
  const calls: [kind: string, nodes: number, edges: number, live?: boolean][] = []
  const feed = new Feed({
    take: (slice) => calls.push(['take', ...(sizesOf(slice) as [number, number])]),
    change: (change, live) => calls.push(['change', ...(sizesOf(change) as [number, number]), live]),
  })
  return { feed, calls }
}

test('a small graph is taken over at once', () => {
  const { feed, calls } = feeding()
  feed.begin({ nodes: nodes(3), edges: edges(2) })
  feed.change({ nodes: nodes(1) })
  expect(calls).toEqual([
    ['change', 3, 2, false],
    ['change', 1, 0, true],
  ])
})

test('a large graph is taken over in slices, and changes wait for the last one', async () => {
  const { feed, calls } = feeding()
  feed.begin({ nodes: nodes(15_000), edges: edges(20_000) })
  feed.change({ nodes: nodes(1) })
  expect(calls).toEqual([['take', 6_000, 0]])
  await expect.poll(() => feed.isRunning).toBe(false)
  const taken = calls.filter(([kind]) => kind === 'take')
  expect(taken.reduce((sum, [, count]) => sum + count, 0)).toBe(15_000)
  expect(taken.reduce((sum, [, , count]) => sum + count, 0)).toBe(20_000)
  expect(Math.max(...taken.flatMap(([, some, others]) => [some, others]))).toBeLessThanOrEqual(12_000)
  expect(calls.slice(-2)).toEqual([
    ['change', 0, 0, false],
    ['change', 1, 0, true],
  ])
})

test('a graph that was replaced meanwhile is not taken over any further', async () => {
  const { feed, calls } = feeding()
  feed.begin({ nodes: nodes(15_000), edges: [] })
  feed.change({ nodes: nodes(1) })
  feed.stop()
  feed.begin({ nodes: nodes(2), edges: [] })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(calls).toEqual([
    ['take', 6_000, 0],
    ['change', 2, 0, false],
  ])
})
