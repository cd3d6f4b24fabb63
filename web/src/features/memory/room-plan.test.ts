import { expect, test } from 'vitest'
import { dotPlaces, litPlaces, placesIn, planRooms, withOthers } from './room-plan.ts'

const house = { x: 0, y: 0, width: 400, height: 300 }
const types = [
  { type: 'incident', count: 62 },
  { type: 'person', count: 58 },
  { type: 'decision', count: 52 },
  { type: 'team', count: 1 },
]

test('rooms fill the house without overlapping, larger for more common types', () => {
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

test('no types make no rooms, and one type gets the whole house', () => {
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

test('with more than nine types, the smallest share a room', () => {
  const many = Array.from({ length: 12 }, (_, i) => ({ type: `t${i}`, count: 12 - i }))
  const rooms = withOthers(many)
  expect(rooms).toHaveLength(9)
  expect(rooms.at(-1)).toEqual({ type: 'others', count: 4 + 3 + 2 + 1 })
  expect(withOthers(types)).toEqual(types)
})

test('up to five dots stand in the middle, with a name below where one fits', () => {
  const room = { type: 'team', x: 0, y: 0, width: 140, height: 188 }
  expect(dotPlaces({ ...room, count: 1 })).toMatchObject([{ x: 70, y: 98, radius: 4, labelWidth: 128 }])
  const two = dotPlaces({ ...room, count: 2 })
  expect(two.map(({ x, y }) => [x, y])).toEqual([
    [70, 58],
    [70, 138],
  ])
  const low = dotPlaces({ ...room, height: 60, count: 3 })
  expect(low.map(({ x, labelWidth }) => [Math.round(x), labelWidth])).toEqual([
    [23, 0],
    [70, 0],
    [117, 0],
  ])
  expect(dotPlaces({ ...room, height: 20, count: 1 }), 'too low for a dot').toEqual([])
  expect(dotPlaces({ ...room, count: 6 }).map(({ labelWidth }) => labelWidth)).toEqual(Array(6).fill(0))
})

test('a recall lights dots in its rooms, one per type, four at most', () => {
  const { rooms } = planRooms(types, house)
  const entities = [
    { id: 'ent_1', type: 'person' },
    { id: 'ent_2', type: 'person' },
    { id: 'ent_3', type: 'incident' },
    { id: 'ent_4', type: 'gone' },
  ]
  const lit = litPlaces(rooms, entities)
  expect(lit.map(({ type }) => type)).toEqual(['person', 'incident'])
  const people = rooms.find(({ type }) => type === 'person')!
  expect(dotPlaces(people).map(({ x, y }) => `${x} ${y}`)).toContain(`${lit[0]!.x} ${lit[0]!.y}`)
  expect(litPlaces(rooms, entities)).toEqual(lit)
})
