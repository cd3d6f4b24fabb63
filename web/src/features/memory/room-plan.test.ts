import { expect, test } from 'vitest'
import { placesIn, planRooms } from './room-plan.ts'

const house = { x: 0, y: 0, width: 400, height: 300 }
const types = [
  { type: 'incident', count: 62 },
  { type: 'person', count: 58 },
  { type: 'decision', count: 52 },
  { type: 'team', count: 1 },
]

test('rooms fill the house without covering each other, the larger for the more common type', () => {
  const { rooms, walls } = planRooms(types, house)
  const areas = rooms.map(({ width, height }) => width * height)
  expect(areas.reduce((sum, area) => sum + area)).toBeCloseTo(400 * 300)
  expect(rooms.map(({ type }) => type)).toEqual(['incident', 'person', 'decision', 'team'])
  expect(areas).toEqual(areas.toSorted((a, b) => b - a))
  expect(walls).toHaveLength(3)
  for (const a of rooms)
    for (const b of rooms)
      if (a !== b) {
        const isApart =
          a.x + a.width <= b.x + 1e-9 ||
          b.x + b.width <= a.x + 1e-9 ||
          a.y + a.height <= b.y + 1e-9 ||
          b.y + b.height <= a.y + 1e-9
        expect(isApart).toBe(true)
      }
})

test('no types make no rooms, one makes the whole house', () => {
  expect(planRooms([], house)).toEqual({ rooms: [], walls: [] })
  expect(planRooms(types.slice(0, 1), house).rooms).toEqual([{ ...types[0], ...house }])
})

test('dots stay within their room, and no more are shown than fit', () => {
  const room = { x: 10, y: 20, width: 100, height: 60 }
  const places = placesIn(room, 1_000, { step: 10, top: 20 })
  expect(places).toHaveLength(27)
  for (const { x, y } of places) {
    expect(x).toBeGreaterThan(10)
    expect(x).toBeLessThan(110)
    expect(y).toBeGreaterThan(40)
    expect(y).toBeLessThan(80)
  }
  expect(placesIn({ ...room, width: 5 }, 3, { step: 10, top: 20 })).toEqual([])
})
