import { describe, expect, test } from 'vitest'
import { smoothed, tracedLoops } from '../layout/contour.ts'
import { outlinesOf } from '../layout/outlines.ts'
import type { Regions } from '../protocol.ts'
import { adjacencyOf } from './adjacency.ts'
import { mixColors, parseHex, withAlpha } from './colors.ts'
import { emptyEdgeShape, pointAlong, screenRadius, shapeEdge, shapeLoop } from './geometry.ts'
import { cutText } from './label.ts'
import { isInside, nodesInside } from './lasso.ts'
import { seededRandom } from './random.ts'
import { ringNodesMax, ringOffsets } from './ring.ts'

const random = seededRandom(17)
const within = (least: number, most: number) => least + random() * (most - least)

describe('an edge', () => {
  test.each([0, 22, -22, 66])('with a bend of %d ends at the rim of its target and points at it', (bend) => {
    const shape = emptyEdgeShape()
    for (let i = 0; i < 100; i++) {
      const angle = within(-Math.PI, Math.PI)
      const length = within(120, 900)
      const [x, y] = [within(-500, 500), within(-500, 500)]
      const [targetX, targetY] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length]
      shapeEdge(shape, x, y, targetX, targetY, 12, bend)
      const { tipX, tipY, dirX, dirY } = shape
      expect(Math.abs(Math.hypot(tipX - targetX, tipY - targetY) - 14)).toBeLessThan(1.5)
      expect(Math.hypot(dirX, dirY)).toBeCloseTo(1)
      expect(dirX * (targetX - tipX) + dirY * (targetY - tipY)).toBeGreaterThan(0)
      const [midX, midY] = pointAlong(shape, 0.5)
      expect(Math.hypot(midX - (x + targetX) / 2, midY - (y + targetY) / 2)).toBeCloseTo(Math.abs(bend))
      expect([midX, midY]).toEqual([expect.closeTo(shape.midX), expect.closeTo(shape.midY)])
    }
  })

  test('between two nodes on one spot is numbers, and so is a short one', () => {
    const shape = emptyEdgeShape()
    for (const [x, bend] of [
      [0, 0],
      [0, 22],
      [0.001, 22],
      [3, 0],
    ] as const) {
      shapeEdge(shape, 0, 0, x, 0, 20, bend)
      const numbers = Object.values(shape).filter((value) => typeof value === 'number')
      expect(numbers.every(Number.isFinite)).toBe(true)
    }
  })

  test('from a node to itself leaves and comes back above the node, each loop wider than the last', () => {
    const tops = [0, 1, 2].map((number) => {
      const shape = emptyEdgeShape()
      shapeLoop(shape, 10, 20, 8, 1, number)
      expect(Math.hypot(shape.x1 - 10, shape.y1 - 20)).toBeCloseTo(8)
      expect(Math.hypot(shape.x2 - 10, shape.y2 - 20)).toBeCloseTo(8)
      expect([shape.kind, shape.midX]).toEqual(['loop', 10])
      return shape.midY
    })
    expect(tops[0]).toBeLessThan(12)
    expect(tops).toEqual([...tops].sort((a, b) => b - a))
  })
})

test('a node on the screen grows with the scale and never vanishes', () => {
  const radii = [0, 0.001, 0.1, 1, 4].map((scale) => screenRadius(20, scale))
  expect(radii).toEqual([...radii].sort((a, b) => a - b))
  expect(radii[0]).toBeGreaterThan(0)
})

describe('the ring of neighbours', () => {
  test.each([1, 2, 3, 10, 11, ringNodesMax])('gives each of %d nodes a spot of its own', (count) => {
    const angles = Array.from({ length: count }, () => within(-Math.PI, Math.PI))
    const offsets = ringOffsets(angles, 1_000, 800)
    for (let i = 0; i < count; i++) {
      expect(Math.abs(offsets[2 * i]!)).toBeLessThan(500)
      expect(Math.abs(offsets[2 * i + 1]!)).toBeLessThan(400)
      for (let j = 0; j < i; j++) {
        const apart = Math.hypot(offsets[2 * i]! - offsets[2 * j]!, offsets[2 * i + 1]! - offsets[2 * j + 1]!)
        expect(apart).toBeGreaterThan(75)
      }
    }
  })

  test('keeps the order in which the nodes lie around the centre', () => {
    const angles = [2, -3, 0.5, 1, -1]
    const offsets = ringOffsets(angles, 100, 100)
    const after = angles.map((_, i) => Math.atan2(offsets[2 * i + 1]!, offsets[2 * i]!))
    const orderOf = (values: number[]) => {
      const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!)
      const first = order.indexOf(0)
      return [...order.slice(first), ...order.slice(0, first)]
    }
    expect(orderOf(after)).toEqual(orderOf(angles))
  })

  test('of nodes that all lie one way leaves that one where it is', () => {
    const offsets = ringOffsets([0.7], 100, 100)
    expect(Math.atan2(offsets[1]!, offsets[0]!)).toBeCloseTo(0.7)
    expect(ringOffsets([], 100, 100)).toHaveLength(0)
  })
})

describe('a lasso', () => {
  const square = [0, 0, 10, 0, 10, 10, 0, 10]
  const star = [0, 0, 10, 10, 10, 0, 0, 10]

  test('takes the shown nodes inside of it', () => {
    const positions = Float32Array.of(5, 5, 15, 5, 5, -1, 1, 9)
    expect(nodesInside(positions, null, square)).toEqual([0, 3])
    expect(nodesInside(positions, Uint8Array.of(0, 1, 1, 1), square)).toEqual([3])
  })

  test('may cross itself, be drawn either way round, and be empty', () => {
    expect(isInside(star, 1, 5)).toBe(true)
    expect(isInside(star, 5, 1)).toBe(false)
    expect(isInside([0, 10, 10, 10, 10, 0, 0, 0], 5, 5)).toBe(true)
    expect(nodesInside(Float32Array.of(0, 0), null, [])).toEqual([])
  })
})

describe('contours', () => {
  /** Marks the cells of a picture as inside. */
  function gridOf(picture: readonly string[]) {
    const rows = picture.map((row) => Array.from(row, (cell) => (cell === '#' ? 1 : -1)))
    return [Float32Array.from(rows.flat()), rows[0]!.length, rows.length] as const
  }

  test.each([
    ['nothing', ['....', '....'], 0],
    ['one area', ['.....', '.###.', '.###.', '.....'], 1],
    ['two areas', ['......', '.#..#.', '......'], 2],
    ['an area with a hole', ['.......', '.#####.', '.##.##.', '.#####.', '.......'], 2],
    ['areas that touch at a corner', ['....', '.#..', '..#.', '....'], 2],
  ])('of %s are as many loops as it has edges', (_title, picture, count) => {
    expect(tracedLoops(...gridOf(picture))).toHaveLength(count)
  })

  test('run between the points inside and those outside', () => {
    const [loop] = tracedLoops(...gridOf(['.....', '..#..', '.....']))
    expect(isInside(loop!, 2, 1)).toBe(true)
    expect(isInside(loop!, 1, 1)).toBe(false)
    expect(loop).toHaveLength(8)
  })

  test('are smoothed without growing', () => {
    const line = smoothed([0, 0, 10, 0, 10, 10, 0, 10])
    expect(line).toHaveLength(16)
    expect(Math.min(...line)).toBe(0)
    expect(Math.max(...line)).toBe(10)
    expect(isInside(line, 5, 5)).toBe(true)
    expect(isInside(line, 0.5, 0.5)).toBe(false)
  })

  test('around regions far apart hold nearly all of their own nodes and none of the others', () => {
    const of = Int32Array.from({ length: 60 }, (_, node) => (node < 40 ? 0 : 1))
    const positions = Float32Array.from({ length: 120 }, (_, i) => {
      const base = i % 2 === 0 && i >= 80 ? 2_000 : 0
      return base + within(-120, 120)
    })
    const regions: Regions = {
      of,
      key: Int32Array.of(0, 1),
      hub: Uint32Array.of(0, 40),
      size: Uint32Array.of(40, 20),
      tint: new Uint8Array(2),
      loose: -1,
    }
    const { points, start, region } = outlinesOf(positions, regions)
    expect(new Set(region)).toEqual(new Set([0, 1]))
    for (const [loop, own] of region.entries()) {
      const line = points.subarray(2 * start[loop]!, 2 * start[loop + 1]!)
      for (let node = 0; node < 60; node++) {
        if (of[node] === own) continue
        expect(isInside(line, positions[2 * node]!, positions[2 * node + 1]!)).toBe(false)
      }
    }
    const loops = [...region.keys()].map((loop) => points.subarray(2 * start[loop]!, 2 * start[loop + 1]!))
    const held = [...of.keys()].filter((node) =>
      loops.some((line) => isInside(line, positions[2 * node]!, positions[2 * node + 1]!)),
    )
    expect(held.length).toBeGreaterThan(54)
  })
})

describe('colours', () => {
  test.each([
    ['#ff8000', [255, 128, 0]],
    ['#F80', [255, 136, 0]],
    ['red', [128, 128, 128]],
    ['', [128, 128, 128]],
    ['#12345', [128, 128, 128]],
  ])('are read from %j', (text, rgb) => {
    expect(parseHex(text)).toEqual(rgb)
  })

  test('are mixed by share', () => {
    expect(mixColors('#000000', '#ffffff', 0)).toBe('rgb(0,0,0)')
    expect(mixColors('#000000', '#ffffff', 1)).toBe('rgb(255,255,255)')
    expect(withAlpha('#102030', 0.5)).toBe('rgba(16,32,48,0.5)')
  })
})

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc...'],
  ['🧠🧠', 1, '🧠...'],
  ['', 0, ''],
])('%j cut at %d is %j', (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut)
})

test('adjacency lists each end of each edge once', () => {
  const { offset, neighbour, edge } = adjacencyOf(4, Uint32Array.of(0, 1, 2, 0), Uint32Array.of(1, 0, 2, 1))
  const at = (node: number, of: Uint32Array) => [...of.subarray(offset[node], offset[node + 1])]
  expect([at(0, neighbour), at(1, neighbour), at(2, neighbour), at(3, neighbour)]).toEqual([
    [1, 1, 1],
    [0, 0, 0],
    [2],
    [],
  ])
  expect(at(0, edge)).toEqual([0, 1, 3])
})

test('random numbers of one seed are the same every time, and spread', () => {
  const draw = (seed: number) => {
    const next = seededRandom(seed)
    return Array.from({ length: 1_000 }, next)
  }
  expect(draw(4)).toEqual(draw(4))
  expect(draw(4)).not.toEqual(draw(5))
  expect(draw(4).every((value) => value >= 0 && value < 1)).toBe(true)
  const mean = draw(4).reduce((sum, value) => sum + value, 0) / 1_000
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.03)
})
