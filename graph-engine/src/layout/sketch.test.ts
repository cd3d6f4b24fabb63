import { expect, test } from 'vitest'
import { sketchOf } from './sketch.ts'

/** Eight nodes around each of these points. */
function mapOf(discs: { x: number; region: number; count: number }[], tints: number[]) {
  const rows = discs.flatMap(({ x, region, count }) =>
    Array.from({ length: count }, (_, i) => ({ x: x + 30 * Math.cos(i), y: 30 * Math.sin(i), region })),
  )
  return {
    positions: Float32Array.from(rows.flatMap(({ x, y }) => [x, y])),
    region: Int32Array.from(rows, ({ region }) => region),
    tint: Uint8Array.from(tints),
  }
}

test('the regions of a map are outlined without their nodes, the largest first and the others last', () => {
  const sketch = sketchOf(
    mapOf(
      [
        { x: 0, region: 0, count: 8 },
        { x: 900, region: 2, count: 20 },
        { x: 1_800, region: -1, count: 30 },
      ],
      [3, 4, 5],
    ),
  )!
  expect(sketch.regions.of).toHaveLength(0)
  expect([...sketch.regions.key]).toEqual([2, 0, -1])
  expect([...sketch.regions.size]).toEqual([20, 8, 30])
  expect([...sketch.regions.tint].slice(0, 2)).toEqual([5, 3])
  expect(sketch.regions.loose).toBe(2)
  expect([...sketch.outlines.region].sort()).toEqual([0, 1, 2])
  expect(sketch.centres[0]).toBeGreaterThan(850)
  expect(sketch.centres[0]).toBeLessThan(950)
})

test('a map without regions has no sketch', () => {
  expect(sketchOf(mapOf([{ x: 0, region: -1, count: 5 }], []))).toBeNull()
})
