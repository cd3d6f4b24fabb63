import { expect, test } from 'vitest'
import { floorPlanOf, squarified } from './floor-plan.ts'

const counts = [40, 12, 5, 1]
const type = Uint16Array.from(counts.flatMap((count, kind) => new Array<number>(count).fill(kind)))
const radius = Float32Array.from(type, (_, node) => 8 + (node % 7))
const graph = { type, radius, source: Uint32Array.of(0, 57), target: Uint32Array.of(41, 56) }

test('each type has a room, each entity a dot in it, and no two dots share a place', () => {
  const { positions, plan } = floorPlanOf(graph, 1.6)
  expect(plan.rooms.map(({ count }) => count)).toEqual(counts)
  for (const [node, own] of type.entries()) {
    const { x, y, width, height } = plan.rooms.find((room) => room.type === own)!
    expect(positions[2 * node]! > x && positions[2 * node]! < x + width).toBe(true)
    expect(positions[2 * node + 1]! > y && positions[2 * node + 1]! < y + height).toBe(true)
  }
  const places = new Set(Array.from(type, (_, node) => `${positions[2 * node]} ${positions[2 * node + 1]}`))
  expect(places.size).toBe(type.length)
})

test('the head of a room stays tall enough for its name, however large the plan', () => {
  const many = Uint16Array.from({ length: 5000 }, (_, node) => node % 10)
  const none = new Uint32Array(0)
  const large = { type: many, radius: new Float32Array(5000).fill(8), source: none, target: none }
  const { positions, plan } = floorPlanOf(large, 1)
  const height = Math.max(...plan.rooms.map((room) => room.y + room.height))
  for (const [node, type] of many.entries()) {
    const top = plan.rooms.find((room) => room.type === type)!.y
    // 20 of 600 pixels.
    expect(positions[2 * node + 1]! - top).toBeGreaterThan((20 / 600) * height)
  }
})

test('doors join rooms with related entities where the rooms share a wall', () => {
  const { plan } = floorPlanOf(graph, 1.6)
  const [x1, y1, x2, y2] = plan.doors
  expect(plan.doors.length % 4).toBe(0)
  expect(plan.doors.length).toBeGreaterThan(0)
  expect(x1 === x2 || y1 === y2).toBe(true)
  expect(
    floorPlanOf({ ...graph, source: new Uint32Array(0), target: new Uint32Array(0) }, 1).plan.doors,
  ).toHaveLength(0)
})

test('rooms fill the plan and are not slivers', () => {
  const boxes = squarified([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 })
  expect(boxes.reduce((sum, { width, height }) => sum + width * height, 0)).toBeCloseTo(24)
  for (const { width, height } of boxes) expect(Math.max(width / height, height / width)).toBeLessThan(3)
})

test('an empty graph has an empty plan', () => {
  const none = {
    type: new Uint16Array(0),
    radius: new Float32Array(0),
    source: new Uint32Array(0),
    target: new Uint32Array(0),
  }
  expect(floorPlanOf(none, 1).plan.rooms).toEqual([])
})
