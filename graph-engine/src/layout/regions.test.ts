import { describe, expect, test } from 'vitest'
import { adjacencyOf } from '../model/adjacency.ts'
import { isInside } from '../model/lasso.ts'
import { seededRandom } from '../model/random.ts'
import type { Regions } from '../protocol.ts'
import { smoothed, tracedLoops } from './contour.ts'
import { ForceLayout } from './force-layout.ts'
import { findCommunities, modularity } from './louvain.ts'
import { outlinesOf } from './outlines.ts'
import { centresOf, linkLengthFor, RegionForces, regionLinks, startingPlaces } from './region-forces.ts'
import { chooseTints, findRegions } from './regions.ts'

type Planted = { nodeCount: number; source: Uint32Array; target: Uint32Array; group: Uint32Array }

/** Groups of different sizes, each with a hub; one link in twelve leads to another group. */
function planted(nodeCount: number, linksPerNode: number): Planted {
  const random = seededRandom(nodeCount)
  const groups = Math.max(4, Math.round(nodeCount / 140))
  const group = Uint32Array.from({ length: nodeCount }, () => Math.floor(random() ** 1.6 * groups))
  const members: number[][] = Array.from({ length: groups }, () => [])
  for (const [node, own] of group.entries()) members[own]!.push(node)
  const source: number[] = []
  const target: number[] = []
  const anyOf = (nodes: readonly number[]) => nodes[Math.floor(random() * nodes.length)]!
  for (let link = 0; link < nodeCount * linksPerNode; link++) {
    const node = link % nodeCount
    const near = members[group[node]!]!
    const other =
      random() < 1 / 12 ? Math.floor(random() * nodeCount) : random() < 0.3 ? near[0]! : anyOf(near)
    if (other === node) continue
    source.push(node)
    target.push(other)
  }
  return { nodeCount, source: Uint32Array.from(source), target: Uint32Array.from(target), group }
}

const radiusOf = (count: number) => new Float32Array(count).fill(9)
const small = planted(320, 2)
const large = planted(5000, 2)

describe('communities', () => {
  test.each([
    ['small', small, 0.5],
    ['large', large, 0.75],
  ] as const)('of a %s graph are as modular as those it was made of', (_, graph, least) => {
    const adjacency = adjacencyOf(graph.nodeCount, graph.source, graph.target)
    const found = modularity(adjacency, findCommunities(adjacency))
    expect(found).toBeGreaterThan(least)
    expect(found).toBeGreaterThan(modularity(adjacency, Int32Array.from(graph.group)) - 0.02)
  })
})

describe('regions', () => {
  const regionsOf = (graph: Planted, kept: Regions | null = null, of?: Int32Array) =>
    findRegions(
      adjacencyOf(graph.nodeCount, graph.source, graph.target),
      radiusOf(graph.nodeCount),
      kept && { ...kept, of: of ?? kept.of, hub: Int32Array.from(kept.hub) },
    )!

  test('are ordered by size, and each is represented by the node with the most links inside it', () => {
    const { of, size, hub, loose } = regionsOf(small)
    expect([...size]).toEqual([...size].sort((a, b) => b - a))
    expect(size.reduce((sum, count) => sum + count, 0)).toBe(small.nodeCount)
    expect([...hub].map((node) => of[node])).toEqual([...size.keys()])
    expect(loose).toBe(-1)
  })

  test.each([
    ['small', small],
    ['large', large],
  ] as const)('of a %s graph are kept by all of its nodes when a twentieth is new', (_, graph) => {
    const known = Math.floor(graph.nodeCount / 1.05)
    const among = [...graph.source.keys()].filter((i) => graph.source[i]! < known && graph.target[i]! < known)
    const before = regionsOf({
      nodeCount: known,
      source: Uint32Array.from(among, (i) => graph.source[i]!),
      target: Uint32Array.from(among, (i) => graph.target[i]!),
      group: graph.group.subarray(0, known),
    })
    before.tint.set(before.tint.map((_, row) => row % 8))
    const kept = new Int32Array(graph.nodeCount).fill(-1)
    kept.set(before.of)
    const after = regionsOf(graph, before, kept)
    for (let node = 0; node < known; node++)
      expect(after.key[after.of[node]!]).toBe(before.key[before.of[node]!])
    for (const [row, key] of after.key.entries()) {
      const was = before.key.indexOf(key)
      if (was >= 0) expect([after.hub[row], after.tint[row]]).toEqual([before.hub[was], before.tint[was]])
    }
    const adjacency = adjacencyOf(graph.nodeCount, graph.source, graph.target)
    const anew = modularity(adjacency, regionsOf(graph).of)
    expect(modularity(adjacency, after.of)).toBeGreaterThan(anew - 0.03)
  })

  test('of a tenth of the graph do not absorb the rest', () => {
    const kept = new Int32Array(large.nodeCount).fill(-1)
    const anew = regionsOf(large)
    // As a picture of the best connected leaves it: three regions, all others unseen.
    for (const node of kept.keys()) if (anew.of[node]! < 3 && node % 8 === 0) kept[node] = anew.of[node]!
    expect(regionsOf(large, anew, kept).size).toHaveLength(anew.size.length)
  })

  test('absorb communities that are too small, and put unlinked nodes last', () => {
    // 0-1-2-3 form a ring with a chord, 4 and 5 are attached to it, 6 and 7 only to each other, 8 is
    // isolated.
    const links = [0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 3, 4, 4, 5, 6, 7]
    const ends = (which: number) => Uint32Array.from(links.filter((_, i) => i % 2 === which))
    const found = regionsOf({ nodeCount: 9, source: ends(0), target: ends(1), group: new Uint32Array(9) })
    expect([...found.of]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1])
    expect(found.loose).toBe(1)
    const pair = adjacencyOf(2, Uint32Array.of(0), Uint32Array.of(1))
    expect(findRegions(pair, radiusOf(2)), 'nothing to tell apart').toBe(null)
  })

  test('near each other have different tints, and keep theirs', () => {
    const size = new Uint32Array(20).fill(5)
    const centres = Float64Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 100 * (i / 2) : 0))
    const tint = new Uint8Array(20).fill(255)
    tint[3] = 6
    chooseTints({ of: new Int32Array(0), key: new Int32Array(20), hub: size, size, tint, loose: -1 }, centres)
    expect(tint[3]).toBe(6)
    for (let row = 1; row < 20; row++) expect(tint[row]).not.toBe(tint[row - 1])
  })
})

describe('the layout of regions', () => {
  function layOut(graph: Planted, aspect = 1.6) {
    const adjacency = adjacencyOf(graph.nodeCount, graph.source, graph.target)
    const regions = findRegions(adjacency, radiusOf(graph.nodeCount))!
    const length = linkLengthFor(graph.nodeCount)
    const { positions, reach } = startingPlaces(regions, graph, length, aspect)
    const layout = new ForceLayout({
      ...graph,
      positions,
      radius: radiusOf(graph.nodeCount),
      links: regionLinks(graph, regions.of, length),
      regions: new RegionForces(regions, reach, length, aspect),
      linkDistance: length,
      ticks: 180,
    })
    layout.alpha = 0.9
    while (!layout.resting) layout.tick()
    return { regions, positions: layout.copyPositions() }
  }
  const { regions, positions } = layOut(small)

  test('is the same every time', () => {
    expect(layOut(small).positions).toEqual(positions)
  })

  test('puts nodes among those of their region', () => {
    const own = positions
      .subarray(0, 2 * small.nodeCount)
      .filter((_, i) => i % 2 === 0)
      .map((_, node) => {
        const distances = Array.from(regions.of, (row, other) => ({
          row,
          distance: Math.hypot(
            positions[2 * other]! - positions[2 * node]!,
            positions[2 * other + 1]! - positions[2 * node + 1]!,
          ),
        })).sort((a, b) => a.distance - b.distance)
        return distances.slice(1, 11).filter(({ row }) => row === regions.of[node]).length / 10
      })
    expect(own.reduce((sum, share) => sum + share, 0) / small.nodeCount).toBeGreaterThan(0.92)
  })

  test('is as wide as the canvas, and tall on a phone', () => {
    const stretch = ({ positions: places }: { positions: Float32Array }) => {
      const spread = (odd: number) => Math.max(...places.filter((_, i) => i % 2 === odd).map(Math.abs))
      return spread(0) / spread(1)
    }
    expect(stretch({ positions })).toBeGreaterThan(1)
    expect(stretch(layOut(small, 0.5))).toBeLessThan(1)
  })

  test('outlines nearly all nodes of a region', () => {
    const { points, start, region } = outlinesOf(positions, regions)
    const inside = regions.of.filter((row, node) =>
      region.some((own, loop) => {
        const line = [...points.subarray(2 * start[loop]!, 2 * start[loop + 1]!)]
        return own === row && isInside(line, positions[2 * node]!, positions[2 * node + 1]!)
      }),
    )
    expect(inside.length / small.nodeCount).toBeGreaterThan(0.97)
    expect(new Set(region).size).toBe(regions.size.length)
  })
})

test('a contour is closed and runs where the values cross 0, around holes too', () => {
  const size = 41
  const ring = Float32Array.from({ length: size * size }, (_, i) => {
    const distance = Math.hypot((i % size) - 20, Math.floor(i / size) - 20)
    return Math.min(15 - distance, distance - 6)
  })
  const loops = tracedLoops(ring, size, size)
  const reachOf = (loop: number[]) =>
    loop.reduce((sum, x, i) => (i % 2 === 0 ? sum + Math.hypot(x - 20, loop[i + 1]! - 20) : sum), 0) /
    (loop.length / 2)
  expect(loops.map((loop) => Math.round(reachOf(loop))).sort((a, b) => a - b)).toEqual([6, 15])
  expect(smoothed([0, 0, 4, 0, 4, 4, 0, 4])).toEqual([1, 0, 3, 0, 4, 1, 4, 3, 3, 4, 1, 4, 0, 3, 0, 1])
})

test('the centre of a region is that of its nodes', () => {
  const centres = centresOf(
    { of: Int32Array.of(0, 1, 0), size: Uint32Array.of(2, 1) },
    Float32Array.of(0, 0, 9, 9, 4, 2),
  )
  expect([...centres]).toEqual([2, 1, 9, 9])
})

test('a graph of small groups only has no regions', () => {
  const chain = (nodes: number) => {
    const from = Uint32Array.from({ length: nodes - 1 }, (_, i) => i)
    return adjacencyOf(
      nodes,
      from,
      from.map((i) => i + 1),
    )
  }
  for (const nodes of [2, 4, 5, 6]) {
    expect(findRegions(chain(nodes), new Float32Array(nodes).fill(8), null)).toBeNull()
  }
})
