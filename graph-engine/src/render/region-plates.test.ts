import { expect, test } from 'vitest'
import { seededRandom } from '../model/random.ts'
import { lightTheme } from '../theme.ts'
import { Occupancy } from './label-placement.ts'
import { placeRegionNames } from './region-names.ts'
import { emptyScene, type Scene } from './scene.ts'

const painter = { font: '', measureText: (text: string) => ({ width: 7 * text.length }) }
const count = 37

/** An overview of many regions on a canvas, of which panels cover a part. */
function overview(width: number, height: number, covered = 0): Scene {
  const scene = emptyScene(lightTheme, { family: 'sans-serif' })
  const random = seededRandom(3)
  const rows = Array.from({ length: count }, (_, row) => row)
  return Object.assign(scene, {
    width,
    height,
    view: { k: 0.1, x: 0, y: 0 },
    padding: { left: covered, right: covered, top: 0, bottom: 0 },
    regionNames: rows.map((row) => `Region ${row}`),
    regions: {
      of: new Int32Array(0),
      key: Int32Array.from(rows),
      hub: new Uint32Array(count),
      size: Uint32Array.from(rows, (row) => 600 - 10 * row),
      tint: new Uint8Array(count),
      loose: -1,
    },
    centres: Float64Array.from(
      { length: 2 * count },
      (_, i) => random() * 10 * (i % 2 === 0 ? width : height),
    ),
  })
}

const place = (scene: Scene) =>
  placeRegionNames(
    painter,
    scene,
    new Occupancy(scene.width, scene.height),
    new Occupancy(scene.width, scene.height),
  )

test('an overview has at most 16 names, of the largest regions first, and fewer and smaller on a small canvas', () => {
  const wide = place(overview(1440, 850))
  expect(wide.length).toBeGreaterThan(12)
  expect(wide.length).toBeLessThanOrEqual(16)
  expect(wide[0]!.text).toBe('Region 0')
  expect(Math.max(...wide.map(({ row }) => row))).toBeLessThan(30)
  const narrow = place(overview(1440, 850, 320))
  expect(narrow.length).toBeLessThan(wide.length + 1)
  expect(narrow.length).toBeLessThanOrEqual(15)
  expect(place(overview(390, 600)).length).toBeLessThanOrEqual(5)
  const largest = (names: typeof wide) => Math.max(...names.map(({ size }) => size))
  expect(largest(narrow)).toBeLessThan(largest(wide))
})

test('regions of one size are named all over the picture', () => {
  const scene = overview(1440, 850)
  scene.regions!.size.fill(100)
  // In the order of their numbers from left to right.
  scene.centres = Float64Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? 195 * i : 4_000))
  const names = place(scene)
  expect(names.length).toBeLessThanOrEqual(16)
  expect(Math.max(...names.map(({ row }) => row))).toBe(count - 1)
})

test('names cover at most a twentieth of the free canvas, however large the regions are', () => {
  for (const [width, height] of [
    [1440, 850],
    [900, 620],
    [390, 600],
  ] as const) {
    const scene = overview(width, height)
    const names = place({
      ...scene,
      regionNames: scene.regionNames.map((name) => `${name} with a long name`),
    })
    const covered = names.reduce((sum, { width: wide, size }) => sum + wide * size * 1.4, 0)
    expect(names.length).toBeGreaterThan(1)
    expect(covered).toBeLessThan(0.05 * width * height)
  }
})

test('names on a phone are legible, and single nodes are always named', () => {
  const scene = overview(390, 600)
  scene.regions!.loose = count - 1
  const names = place(scene)
  expect(Math.min(...names.map(({ size }) => size))).toBeGreaterThanOrEqual(10.5)
  expect(names[0]!.row).toBe(count - 1)
})

test('a name that finds no clear place is not drawn across the neighbours of a small region', () => {
  const scene = overview(390, 600)
  const box = (row: number, half: number) => {
    const [x, y] = [scene.centres[2 * row]!, scene.centres[2 * row + 1]!]
    return [x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half]
  }
  const taken = { isFree: () => false } as unknown as Occupancy
  const namesWith = (half: number) =>
    placeRegionNames(
      painter,
      {
        ...scene,
        outlines: {
          points: Float32Array.from(Array.from({ length: count }, (_, row) => box(row, half)).flat()),
          start: Uint32Array.from({ length: count + 1 }, (_, row) => 4 * row),
          region: Uint16Array.from({ length: count }, (_, row) => row),
        },
      },
      new Occupancy(390, 600),
      taken,
    )
  expect(namesWith(150)).toEqual([])
  expect(namesWith(700).length).toBeGreaterThan(0)
})
