import { describe, expect, test } from 'vitest'
import { seededRandom } from './random.ts'
import { type Bounds, boundsOf, fitView, levelOfScale, openingView, zoomRange } from './zoom-level.ts'

const random = seededRandom(21)
const within = (least: number, most: number) => least + random() * (most - least)

describe('the level of a scale', () => {
  const graphs = [
    [1, 1.25],
    [500, 0.4],
    [501, 1.25],
    [2_000, 0.4],
    [100_000, 0.01],
  ] as const

  test.each(graphs)('of %d nodes that fit at %d is 1 at 1x and 4 at 4x', (nodes, fitScale) => {
    const range = zoomRange(nodes, fitScale)
    expect(levelOfScale(range.one, range)).toBe(1)
    expect(levelOfScale(range.most, range)).toBeCloseTo(4)
  })

  test.each(graphs)('of %d nodes that fit at %d grows with the scale, from 0.1 to 4', (nodes, fitScale) => {
    const range = zoomRange(nodes, fitScale)
    const scales = Array.from({ length: 200 }, (_, i) => range.one * 0.05 * 1.03 ** i)
    const levels = scales.map((scale) => levelOfScale(scale, range))
    expect(levels).toEqual([...levels].sort((a, b) => a - b))
    expect(levels[0]).toBe(0.1)
    expect(levelOfScale(range.most * 3, range)).toBe(4)
  })
})

describe('the box around the nodes', () => {
  test('holds every node of a small graph', () => {
    const positions = Float32Array.from({ length: 600 }, () => within(-900, 900))
    const bounds = boundsOf(positions, null)!
    for (let node = 0; node < 300; node++) {
      expect(positions[2 * node]).toBeGreaterThanOrEqual(bounds.left)
      expect(positions[2 * node]).toBeLessThanOrEqual(bounds.right)
      expect(positions[2 * node + 1]).toBeGreaterThanOrEqual(bounds.top)
      expect(positions[2 * node + 1]).toBeLessThanOrEqual(bounds.bottom)
    }
  })

  test('of a large graph ignores a few stray nodes', () => {
    const positions = Float32Array.from({ length: 8_000 }, () => within(-500, 500))
    positions.set([1e6, 1e6, -1e6, -1e6], 100)
    const { left, right, top, bottom } = boundsOf(positions, null)!
    expect(Math.max(-left, right, -top, bottom)).toBeLessThanOrEqual(500)
    expect(right - left).toBeGreaterThan(950)
  })

  test.each([1, 7, 40])('of %d shown nodes in a large graph holds them all', (count) => {
    const positions = Float32Array.from({ length: 40_000 }, () => within(-5_000, 5_000))
    const visible = new Uint8Array(20_000)
    const shown = Array.from({ length: count }, (_, i) => 4_001 + i * 2)
    for (const [i, node] of shown.entries()) {
      visible[node] = 1
      positions.set([100 + i, 50 - i], 2 * node)
    }
    expect(boundsOf(positions, visible)).toEqual({
      left: 100,
      right: 99 + count,
      top: 51 - count,
      bottom: 50,
    })
  })

  test('is none when every node is hidden', () => {
    expect(boundsOf(Float32Array.of(1, 2, 3, 4), new Uint8Array(2))).toBe(null)
  })
})

describe('a view that fits a box', () => {
  const corners = ({ left, right, top, bottom }: Bounds) => [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ]

  test('shows all four corners, whatever the box and the screen', () => {
    for (let i = 0; i < 200; i++) {
      const [left, top] = [within(-1e4, 1e4), within(-1e4, 1e4)]
      const bounds = { left, top, right: left + within(0, 2e4), bottom: top + within(0, 2e4) }
      const [width, height] = [within(50, 3_000), within(50, 3_000)]
      const { k, x, y } = fitView(bounds, width, height)
      for (const [cornerX, cornerY] of corners(bounds)) {
        const screenX = cornerX! * k + x
        const screenY = cornerY! * k + y
        expect(screenX >= 0 && screenX <= width && screenY >= 0 && screenY <= height).toBe(true)
      }
    }
  })

  test('of a single node is centred on it and not enlarged without bound', () => {
    const { k, x, y } = fitView({ left: 50, right: 50, top: -20, bottom: -20 }, 1_000, 600)
    expect([50 * k + x, -20 * k + y]).toEqual([500, 300])
    expect(k).toBeLessThanOrEqual(1.25)
  })

  test('of nothing has the origin in the middle', () => {
    expect(fitView(null, 800, 600)).toEqual({ k: 1, x: 400, y: 300 })
  })
})

describe('the opening view', () => {
  const wide = { left: -2_000, right: 2_000, top: -1_000, bottom: 1_000 }

  test('of a wide graph on a tall screen is its middle, larger than the whole would be', () => {
    const opening = openingView(wide, 390, 700)
    const whole = fitView(wide, 390, 700)
    expect(opening.k / whole.k).toBeCloseTo(1.7)
    expect([opening.x, opening.y]).toEqual([195, 350])
  })

  test('is the whole graph where that fills the screen', () => {
    expect(openingView(wide, 1_440, 800)).toEqual(fitView(wide, 1_440, 800))
    const tall = { left: -1_000, right: 1_000, top: -1_800, bottom: 1_800 }
    expect(openingView(tall, 390, 700)).toEqual(fitView(tall, 390, 700))
    expect(openingView(null, 390, 700)).toEqual(fitView(null, 390, 700))
  })

  test('is the whole graph where that is legible', () => {
    const small = { left: -200, right: 200, top: -100, bottom: 100 }
    expect(openingView(small, 390, 700)).toEqual(fitView(small, 390, 700))
  })
})
