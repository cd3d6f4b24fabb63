import { describe, expect, test } from 'vitest'
import {
  type Box,
  doorOf,
  lastStep,
  planSize,
  rooms,
  sessions,
  toPath,
  walkRooms,
  ways,
} from './landing-story.ts'

const boxOf = (id: string, shape: 'wide' | 'tall') => rooms.find((room) => room.id === id)![shape].box
const holds = ([x, y, width, height]: Box, [px, py]: readonly [number, number]) =>
  px >= x && px <= x + width && py >= y && py <= y + height

describe.each(['wide', 'tall'] as const)('the %s plan', (shape) => {
  test('is filled by its rooms without a gap', () => {
    const area = rooms.reduce((sum, room) => sum + room[shape].box[2] * room[shape].box[3], 0)
    expect(area).toBe(planSize[shape][0] * planSize[shape][1])
  })

  test.each(ways.map((way) => [`${way.from} to ${way.to}`, way] as const))('has a door %s', (_name, way) => {
    const points = way[shape]
    const door = doorOf(points, boxOf(way.from, shape)).at
    expect(holds(boxOf(way.to, shape), door)).toBe(true)
    expect(holds(boxOf(way.to, shape), points.at(-1)!)).toBe(true)
  })

  test('keeps every dot in its own room', () => {
    for (const room of rooms)
      expect([room.id, holds(room[shape].box, room[shape].dot)]).toEqual([room.id, true])
  })
})

test('recall walks from room to room along existing ways', () => {
  const joined = (a: string, b: string) =>
    ways.some(({ from, to }) => (from === a && to === b) || (from === b && to === a))
  for (const [i, room] of walkRooms.slice(1).entries()) expect(joined(walkRooms[i]!, room)).toBe(true)
})

test('the story ends with its last line', () => {
  const lines = sessions.flatMap((session) => session.lines.map((line) => line.at))
  expect(Math.max(...lines)).toBe(lastStep)
  expect(lines).toEqual([...lines].sort((a, b) => a - b))
})

test('corners are rounded and ends are not', () => {
  expect(
    toPath([
      [0, 0],
      [100, 0],
      [100, 50],
    ]),
  ).toBe('M0 0L90 0Q100 0 100 10L100 50')
})
