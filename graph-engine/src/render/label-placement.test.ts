import { expect, test } from 'vitest'
import { Occupancy, placeLabel, plainSides, startingWith } from './label-placement.ts'

test('names take another side when there is no room, and give up when there is none at all', () => {
  const occupancy = new Occupancy(400, 300)
  const sides = Array.from({ length: 5 }, () => placeLabel(occupancy, 0, 200, 150, 10, 60, plainSides)?.side)
  expect(sides).toEqual([0, 1, 2, 3, undefined])
})

test('names stay inside of the picture', () => {
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

test('a name keeps the side it had where there is room', () => {
  expect(startingWith(2, plainSides)).toEqual([2, 0, 1, 3])
  expect(startingWith(undefined, plainSides)).toEqual([0, 1, 2, 3])
  expect(startingWith(6, plainSides), 'not one of these').toEqual([0, 1, 2, 3])
})
