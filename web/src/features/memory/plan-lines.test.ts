import { expect, test } from 'vitest'
import { doorPath, housePath, recallPath, wallPath } from './plan-lines.ts'

const house = { x: 0, y: 0, width: 400, height: 300 }

test('a wall has a gap as wide as a door, in which the door hangs', () => {
  expect(wallPath({ x1: 100, y1: 0, x2: 100, y2: 100 })).toBe('M100 0L100 63M100 81L100 100')
  expect(doorPath({ x1: 100, y1: 0, x2: 100, y2: 100 })).toBe('M100 63H82A18 18 0 0 0 100 81')
  expect(doorPath({ x1: 0, y1: 50, x2: 100, y2: 50 })).toBe('M63 50V32A18 18 0 0 1 81 50')
})

test('a door is not where another wall ends', () => {
  const other = { x1: 100, y1: 70, x2: 200, y2: 70 }
  expect(wallPath({ x1: 100, y1: 0, x2: 100, y2: 100 }, [other])).toBe('M100 0L100 41M100 59L100 100')
})

test('a wall shorter than its door is all door', () => {
  expect(wallPath({ x1: 0, y1: 0, x2: 10, y2: 0 })).toBe('M0 0L0 0M10 0L10 0')
})

test('a house is closed, or open at its entrance', () => {
  expect(housePath(house)).toBe('M0 0H400V300H0Z')
  expect(housePath(house, 200)).toBe('M0 186.5V0H400V300H0V213.5M-5 186.5h10M-5 213.5h10')
})

test('a recall is one line from its leftmost place to its rightmost, never outside the house', () => {
  const places = [
    { x: 200, y: 40 },
    { x: 50, y: 60 },
    { x: 300, y: 20 },
  ]
  expect(recallPath(places, house)).toBe('M50 60V88H300V20M200 40V88')
  expect(
    recallPath(
      [
        { x: 1, y: 295 },
        { x: 9, y: 1 },
      ],
      house,
    ),
  ).toBe('M1 295V292H9V1')
  expect(recallPath(places.slice(0, 1), house)).toBe('')
})
