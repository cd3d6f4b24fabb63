import { describe, expect, test } from 'vitest'
import { seededRandom } from '../model/random.ts'
import {
  allSides,
  labelAt,
  Occupancy,
  type PlacedLabel,
  placeLabel,
  plainSides,
  startingWith,
} from './label-placement.ts'

const boxOf = ({ x, y }: PlacedLabel, width: number) => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - 7,
  bottom: y + 7,
})

describe('a name', () => {
  test('takes another side when there is no room, and gives up when there is none at all', () => {
    const occupancy = new Occupancy(400, 300)
    const sides = Array.from(
      { length: 5 },
      () => placeLabel(occupancy, 0, 200, 150, 10, 60, plainSides)?.side,
    )
    expect(sides).toEqual([0, 1, 2, 3, undefined])
  })

  test('leaves a gap beside another one', () => {
    const occupancy = new Occupancy(400, 300)
    placeLabel(occupancy, 0, 100, 150, 5, 60, [0])
    expect(placeLabel(occupancy, 1, 164, 150, 5, 60, [0]), 'four pixels from the other').toBeNull()
    expect(placeLabel(occupancy, 2, 175, 150, 5, 60, [0])).not.toBeNull()
  })

  test('stays inside of the picture', () => {
    const occupancy = new Occupancy(400, 300)
    for (const [x, y] of [
      [2, 150],
      [398, 150],
      [200, 295],
      [200, 4],
    ] as const) {
      const label = placeLabel(occupancy, 0, x, y, 5, 80, plainSides)
      expect(label && label.x - 40 >= 0 && label.x + 40 <= 400 && label.y > 5 && label.y < 295).toBe(true)
    }
  })

  test('keeps the side it had where there is room', () => {
    expect(startingWith(2, plainSides)).toEqual([2, 0, 1, 3])
    expect(startingWith(undefined, plainSides)).toEqual([0, 1, 2, 3])
    expect(startingWith(6, plainSides), 'not one of these').toEqual([0, 1, 2, 3])
  })

  test.each([...allSides])('on side %d does not touch its node', (side) => {
    for (const radius of [1, 8, 20, 40]) {
      const { left, right, top, bottom } = boxOf(labelAt(0, 0, 0, radius, 60, side), 60)
      const nearestX = Math.max(left, Math.min(0, right))
      const nearestY = Math.max(top, Math.min(0, bottom))
      expect(Math.hypot(nearestX, nearestY)).toBeGreaterThanOrEqual(radius)
    }
  })

  test.each([1, 2, 3])('never lies on another one, in crowd %d', (seed) => {
    const random = seededRandom(seed)
    const occupancy = new Occupancy(390, 700)
    const boxes = Array.from({ length: 400 }, (_, node) => {
      const width = 10 + random() * 120
      const [x, y] = [random() * 390, random() * 700]
      const label = placeLabel(occupancy, node, x, y, 4 + random() * 16, width, allSides)
      return label && boxOf(label, width)
    }).filter((box) => box !== null)
    expect(boxes.length).toBeGreaterThan(30)
    for (const [i, a] of boxes.entries()) {
      expect(a.left >= 0 && a.right <= 390 && a.top >= 0 && a.bottom <= 700).toBe(true)
      for (const b of boxes.slice(0, i)) {
        expect(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top).toBe(true)
      }
    }
  })

  test('that is wider than the picture is left out', () => {
    expect(placeLabel(new Occupancy(100, 100), 0, 50, 50, 8, 400, [2, 3])).toBe(null)
  })

  test('keeps off what it must avoid, without taking that place', () => {
    const avoid = new Occupancy(400, 300)
    avoid.take(150, 160, 250, 200)
    const occupancy = new Occupancy(400, 300)
    expect(placeLabel(occupancy, 0, 200, 150, 10, 60, plainSides, avoid)?.side).toBe(1)
    expect(occupancy.isFree(150, 160, 250, 200)).toBe(true)
  })
})

describe('space', () => {
  test('that is taken is not free, nor is a part of it', () => {
    const occupancy = new Occupancy(400, 300)
    occupancy.take(100, 100, 160, 120)
    expect(occupancy.isFree(100, 100, 160, 120)).toBe(false)
    expect(occupancy.isFree(130, 110, 131, 111)).toBe(false)
    expect(occupancy.isFree(0, 0, 399, 90)).toBe(true)
    expect(occupancy.isFree(170, 0, 399, 299)).toBe(true)
  })

  test.each([
    ['left of', -300, 100, -200, 200],
    ['left of and above', -300, -100, -200, 200],
    ['right of', 500, 0, 600, 200],
    ['above', 0, -300, 399, -200],
    ['below', 0, 500, 399, 600],
    ['far off', -1e9, -1e9, -1e8, 1e9],
  ])('taken %s the picture leaves all of the picture free', (_title, left, top, right, bottom) => {
    const occupancy = new Occupancy(400, 300)
    occupancy.take(left, top, right, bottom)
    expect(occupancy.isFree(0, 0, 399, 299)).toBe(true)
  })

  test('taken across the edge of the picture is taken inside of it only', () => {
    const occupancy = new Occupancy(400, 300)
    occupancy.take(-50, -50, 20, 20)
    expect(occupancy.isFree(0, 0, 10, 10)).toBe(false)
    expect(occupancy.isFree(30, 0, 399, 299)).toBe(true)
    expect(occupancy.isFree(0, 30, 399, 299)).toBe(true)
  })

  test('holds nothing in a picture without size', () => {
    expect(new Occupancy(0, 0).isFree(0, 0, 0, 0)).toBe(true)
  })
})
