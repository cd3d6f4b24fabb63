import { describe, expect, test } from 'vitest'
import { type Adjacency, adjacencyOf } from '../model/adjacency.ts'
import { seededRandom } from '../model/random.ts'
import { findClusters } from './clusters.ts'
import { extendCommunities, findCommunities, modularity } from './louvain.ts'
import { findRegions } from './regions.ts'

type Link = readonly [from: number, to: number]

const graphOf = (nodeCount: number, links: readonly Link[]): Adjacency =>
  adjacencyOf(
    nodeCount,
    Uint32Array.from(links, ([from]) => from),
    Uint32Array.from(links, ([, to]) => to),
  )

/** Each node of a group is linked to each other one. */
const clique = (first: number, size: number): Link[] =>
  Array.from({ length: size }, (_, i) => i).flatMap((i) =>
    Array.from({ length: i }, (_, j) => [first + i, first + j] as const),
  )

/** Groups of nodes, in the order of their first nodes. */
function groupsOf(labels: Int32Array): number[][] {
  const groups = new Map<number, number[]>()
  for (const [node, label] of labels.entries()) groups.set(label, [...(groups.get(label) ?? []), node])
  return [...groups.values()]
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

function randomGraph(seed: number, nodeCount: number, linkCount: number): Adjacency {
  const random = seededRandom(seed)
  const any = () => Math.floor(random() * nodeCount)
  return graphOf(
    nodeCount,
    Array.from({ length: linkCount }, () => [any(), any()] as const),
  )
}

describe('communities', () => {
  test('are the parts of a graph that are not linked to each other', () => {
    const found = findCommunities(graphOf(12, [...clique(0, 5), ...clique(5, 4), ...clique(9, 3)]))
    expect(groupsOf(found)).toEqual([range(0, 5), range(5, 9), range(9, 12)])
  })

  test('are told apart where one link joins two dense groups', () => {
    const found = findCommunities(graphOf(12, [...clique(0, 6), ...clique(6, 6), [5, 6]]))
    expect(groupsOf(found)).toEqual([range(0, 6), range(6, 12)])
  })

  test('do not depend on the direction of links', () => {
    const links = [...clique(0, 6), ...clique(6, 6), [5, 6] as const]
    const turned = links.map(([from, to]) => [to, from] as const)
    expect(findCommunities(graphOf(12, turned))).toEqual(findCommunities(graphOf(12, links)))
  })

  test('leave a node without links alone', () => {
    const found = findCommunities(graphOf(6, clique(0, 4)))
    expect(groupsOf(found)).toEqual([range(0, 4), [4], [5]])
  })

  test.each([
    ['no nodes', graphOf(0, []), 0],
    ['no links', graphOf(3, []), 3],
    ['only loops', graphOf(2, [[0, 0], [1, 1]]), 2], // biome-ignore format: a pair is a link
  ])('of a graph with %s are its nodes', (_title, graph, count) => {
    expect(groupsOf(findCommunities(graph))).toHaveLength(count)
  })

  test.each([1, 2, 3, 4, 5])(
    'of random graph %d are the same every time, and better than one or many',
    (seed) => {
      const graph = randomGraph(seed, 120, 260)
      const found = findCommunities(graph)
      expect(findCommunities(graph)).toEqual(found)
      const score = modularity(graph, found)
      expect(score).toBeGreaterThan(modularity(graph, new Int32Array(120)))
      expect(score).toBeGreaterThan(modularity(graph, Int32Array.from(range(0, 120))))
      expect(score).toBeLessThan(1)
    },
  )

  test.each([6, 7, 8])('of random graph %d stay what they were when others join', (seed) => {
    const graph = randomGraph(seed, 200, 500)
    const found = findCommunities(graph)
    const known = found.map((label, node) => (node % 2 === 0 ? label : -1))
    const before = known.slice()
    const after = extendCommunities(graph, known)
    for (let node = 0; node < 200; node += 2) expect(after[node]).toBe(found[node])
    expect(known, 'the given communities are not written to').toEqual(before)
  })

  test('keep a weakly linked node where a person has seen it', () => {
    // Node 12 has one link to either group.
    const graph = graphOf(13, [...clique(0, 6), ...clique(6, 6), [12, 0], [12, 6]])
    for (const side of [0, 1]) {
      const known = Int32Array.from(range(0, 13), (node) => (node === 12 ? side : Math.floor(node / 6)))
      expect(extendCommunities(graph, known)[12]).toBe(side)
    }
  })

  test('of newcomers are their own, however they are linked to the others, and join others by single links', () => {
    // Two known cliques, a new one with one link to the first, and a node with a link to the second.
    const links = [...clique(0, 6), ...clique(6, 6), ...clique(12, 6), [12, 0], [18, 6]] as const
    const known = Int32Array.from(range(0, 19), (node) => (node < 12 ? Math.floor(node / 6) : -1))
    const found = extendCommunities(graphOf(19, links as never), known)
    expect([...found.subarray(12, 18)]).toEqual([2, 2, 2, 2, 2, 2])
    expect(found[18]).toBe(1)
  })
})

describe('modularity', () => {
  test('is zero for a graph in one piece, and for a graph without links', () => {
    expect(modularity(graphOf(4, clique(0, 4)), new Int32Array(4))).toBeCloseTo(0)
    expect(modularity(graphOf(4, []), new Int32Array(4))).toBe(0)
  })

  test('is a half for two equal parts that are not linked', () => {
    const graph = graphOf(6, [...clique(0, 3), ...clique(3, 3)])
    expect(modularity(graph, Int32Array.of(0, 0, 0, 1, 1, 1))).toBeCloseTo(0.5)
  })
})

describe('clusters', () => {
  test.each([1, 2, 3])('of random graph %d number every node without gaps', (seed) => {
    const { count, clusterOf, sizes } = findClusters(randomGraph(seed, 150, 300))
    expect(new Set(clusterOf)).toEqual(new Set(range(0, count)))
    expect([...sizes]).toEqual(range(0, count).map((row) => clusterOf.filter((own) => own === row).length))
  })

  test('stay small in a graph where everything is linked to one node', () => {
    const star = graphOf(
      2_000,
      range(1, 2_000).map((node) => [0, node] as const),
    )
    expect(Math.max(...findClusters(star).sizes)).toBeLessThanOrEqual(Math.ceil(Math.sqrt(2_000) * 3))
  })
})

describe('regions', () => {
  test.each([11, 12, 13])('of random graph %d cover each node once, the largest first', (seed) => {
    const graph = randomGraph(seed, 300, 500)
    const { of, size, hub, loose, tint } = findRegions(graph, new Float32Array(300).fill(8))!
    const linked = [...size].slice(0, loose < 0 ? size.length : loose)
    expect(linked).toEqual([...linked].sort((a, b) => b - a))
    expect([...size]).toEqual(range(0, size.length).map((row) => of.filter((own) => own === row).length))
    expect(linked.every((count) => count >= 4)).toBe(true)
    for (const [row, node] of hub.entries()) expect(of[node]).toBe(row)
    expect(tint).toHaveLength(size.length)
  })

  test('are none in a graph too sparse to have any', () => {
    expect(findRegions(graphOf(5, []), new Float32Array(5))).toBe(null)
    expect(findRegions(graphOf(0, []), new Float32Array(0))).toBe(null)
  })
})
