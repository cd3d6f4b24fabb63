import { describe, expect, test } from 'vitest'
import { seededRandom } from '../model/random.ts'
import { separateOverlaps } from './collision.ts'
import { ForceLayout } from './force-layout.ts'
import { QuadTree } from './quad-tree.ts'
import { multilevelPositions, spiralPositions } from './starting-positions.ts'

const random = seededRandom(5)
const points = (count: number, extent: number) =>
  Float64Array.from({ length: count }, () => (random() - 0.5) * extent)

describe('repulsion', () => {
  /** The sum over all other points, one by one. */
  function exact(i: number, x: Float64Array, y: Float64Array, strength: number): [number, number] {
    let [ax, ay] = [0, 0]
    for (let p = 0; p < x.length; p++) {
      if (p === i) continue
      const [dx, dy] = [x[p]! - x[i]!, y[p]! - y[i]!]
      const square = dx * dx + dy * dy
      const force = strength / (square < 1 ? Math.sqrt(square) : square)
      ax += dx * force
      ay += dy * force
    }
    return [ax, ay]
  }

  function forces(x: Float64Array, y: Float64Array, theta: number) {
    const tree = new QuadTree(x.length)
    tree.build(x, y)
    const [speedX, speedY] = [new Float64Array(x.length), new Float64Array(x.length)]
    for (let i = 0; i < x.length; i++) tree.push(i, x, y, speedX, speedY, -30, theta ** 2)
    return { speedX, speedY }
  }

  test.each([2, 3, 50, 400])('of %d points is that of each pair, where no group counts as one', (count) => {
    const [x, y] = [points(count, 600), points(count, 300)]
    const { speedX, speedY } = forces(x, y, 1e-6)
    for (let i = 0; i < count; i++) {
      const [ax, ay] = exact(i, x, y, -30)
      expect(speedX[i]).toBeCloseTo(ax, 6)
      expect(speedY[i]).toBeCloseTo(ay, 6)
    }
  })

  test('is nearly that of each pair with groups', () => {
    const [x, y] = [points(400, 600), points(400, 600)]
    const { speedX, speedY } = forces(x, y, 0.9)
    let [off, total] = [0, 0]
    for (let i = 0; i < 400; i++) {
      const [ax, ay] = exact(i, x, y, -30)
      off += Math.hypot(speedX[i]! - ax, speedY[i]! - ay)
      total += Math.hypot(ax, ay)
    }
    expect(off / total).toBeLessThan(0.1)
  })

  test('drives apart any number of points on one spot', () => {
    const [x, y] = [new Float64Array(40).fill(7), new Float64Array(40).fill(-3)]
    const { speedX, speedY } = forces(x, y, 0.9)
    const speeds = Array.from(speedX, (speed, i) => Math.hypot(speed, speedY[i]!))
    expect(speeds.every((speed) => Number.isFinite(speed) && speed > 0)).toBe(true)
  })

  test('takes a tree again after its points have moved', () => {
    const tree = new QuadTree(3)
    const [x, y] = [Float64Array.of(0, 1, 2), Float64Array.of(0, 0, 0)]
    tree.build(x, y)
    x.set([0, 500, 900])
    tree.build(x, y)
    const [speedX, speedY] = [new Float64Array(3), new Float64Array(3)]
    tree.push(0, x, y, speedX, speedY, -30, 1e-12)
    expect(speedX[0]).toBeCloseTo(-30 / 500 - 30 / 900)
  })
})

describe('overlaps', () => {
  function overlapOf(x: Float64Array, y: Float64Array, radius: Float32Array): number {
    let most = 0
    for (let i = 0; i < x.length; i++) {
      for (let j = 0; j < i; j++) {
        most = Math.max(most, radius[i]! + radius[j]! - Math.hypot(x[i]! - x[j]!, y[i]! - y[j]!))
      }
    }
    return most
  }

  test.each([2, 30, 200])('of %d crowded nodes disappear after some rounds', (count) => {
    const [x, y] = [points(count, 60), points(count, 60)]
    const radius = Float32Array.from({ length: count }, () => 8 + random() * 12)
    for (let round = 0; round < 400; round++) separateOverlaps(x, y, radius, new Uint8Array(count))
    expect(overlapOf(x, y, radius)).toBeLessThan(1)
  })

  test.each([0, 1])('never move pinned node %d', (pinned) => {
    const [x, y] = [Float64Array.of(0, 1), Float64Array.of(0, 0)]
    const flags = Uint8Array.from([0, 1], (node) => Number(node === pinned))
    for (let round = 0; round < 60; round++) separateOverlaps(x, y, Float32Array.of(10, 10), flags)
    expect([x[pinned], y[pinned]]).toEqual([pinned, 0])
    expect(Math.abs(x[0]! - x[1]!)).toBeGreaterThan(20)
  })

  test('leave nodes with room around them where they are', () => {
    const [x, y] = [Float64Array.of(0, 100, -1e6), Float64Array.of(0, 0, 1e6)]
    separateOverlaps(x, y, new Float32Array(3).fill(10), new Uint8Array(3))
    expect([[...x], [...y]]).toEqual([
      [0, 100, -1e6],
      [0, 0, 1e6],
    ])
  })
})

describe('a layout', () => {
  type Graph = { nodeCount: number; links: readonly (readonly [number, number])[] }
  const chain = Array.from({ length: 39 }, (_, i) => [i, i + 1] as const)
  const shapes: [string, Graph][] = [
    ['a chain', { nodeCount: 40, links: chain }],
    ['a star', { nodeCount: 40, links: chain.map(([, node]) => [0, node] as const) }],
    ['loops only', { nodeCount: 12, links: Array.from({ length: 12 }, (_, i) => [i, i] as const) }],
    ['the same link a hundred times', { nodeCount: 4, links: Array(100).fill([1, 2]) }],
    ['pairs', { nodeCount: 30, links: Array.from({ length: 15 }, (_, i) => [2 * i, 2 * i + 1] as const) }],
    ['no links', { nodeCount: 30, links: [] }],
  ]

  function layOut({ nodeCount, links }: Graph, positions = spiralPositions(nodeCount)) {
    const layout = new ForceLayout({
      nodeCount,
      positions,
      source: Uint32Array.from(links, ([from]) => from),
      target: Uint32Array.from(links, ([, to]) => to),
      radius: new Float32Array(nodeCount).fill(8),
    })
    let ticks = 0
    for (; !layout.resting && ticks < 1_000; ticks++) layout.tick()
    return { positions: layout.copyPositions(), ticks }
  }

  function nearest(positions: Float32Array): number {
    let least = Infinity
    for (let i = 0; i < positions.length; i += 2) {
      for (let j = 0; j < i; j += 2) {
        least = Math.min(
          least,
          Math.hypot(positions[i]! - positions[j]!, positions[i + 1]! - positions[j + 1]!),
        )
      }
    }
    return least
  }

  test.each(shapes)('of %s comes to rest with every node on a spot of its own', (_title, graph) => {
    const { positions, ticks } = layOut(graph)
    expect(ticks).toBeLessThan(1_000)
    expect(positions.every(Number.isFinite)).toBe(true)
    expect(nearest(positions)).toBeGreaterThan(10)
  })

  test.each([
    ['one spot', () => 0],
    ['one line', (i: number) => (i % 2 === 0 ? i : 0)],
    ['far out', (i: number) => 1e6 + i],
  ])('recovers from a start with all nodes on %s', (_title, at) => {
    const graph = { nodeCount: 40, links: chain }
    const { positions } = layOut(
      graph,
      Float32Array.from({ length: 80 }, (_, i) => at(i)),
    )
    expect(positions.every(Number.isFinite)).toBe(true)
    expect(nearest(positions)).toBeGreaterThan(8)
  })

  test('is as wide as the area that it has to fill', () => {
    const extentAt = (aspect: number) => {
      const layout = new ForceLayout({
        nodeCount: 40,
        positions: spiralPositions(40),
        source: new Uint32Array(0),
        target: new Uint32Array(0),
        aspect,
      })
      while (!layout.resting) layout.tick()
      const spread = (axis: Float64Array) => Math.max(...axis) - Math.min(...axis)
      return spread(layout.x) / spread(layout.y)
    }
    expect(extentAt(2)).toBeGreaterThan(1.2)
    expect(extentAt(0.5)).toBeLessThan(0.8)
  })

  test('holds exactly the nodes that are pinned', () => {
    const layout = new ForceLayout({
      nodeCount: 3,
      positions: spiralPositions(3),
      source: Uint32Array.of(0, 1),
      target: Uint32Array.of(1, 2),
    })
    layout.hold({ nodes: Uint32Array.of(0, 2), places: Float32Array.of(-50, 0, 50, 0) })
    layout.hold({ nodes: Uint32Array.of(2), places: Float32Array.of(80, 10) })
    for (let i = 0; i < 20; i++) layout.tick()
    expect([layout.x[2], layout.y[2]]).toEqual([80, 10])
    expect(layout.x[0]).not.toBe(-50)
  })
})

describe('starting positions', () => {
  test('of any size keep nodes apart', () => {
    const positions = spiralPositions(500)
    const places = new Set(
      Array.from({ length: 500 }, (_, i) => `${positions[2 * i]} ${positions[2 * i + 1]}`),
    )
    expect(places.size).toBe(500)
    expect(spiralPositions(0)).toHaveLength(0)
  })

  test.each([
    ['without links', 900, 0],
    ['with one link', 900, 1],
  ])('of a large graph %s are numbers', (_title, nodeCount, links) => {
    const ends = (at: number) => new Uint32Array(links).fill(at)
    const positions = multilevelPositions(nodeCount, ends(0), ends(1), 1.5)
    expect(positions).toHaveLength(2 * nodeCount)
    expect(positions.every(Number.isFinite)).toBe(true)
  })
})
