import type { GraphNumbers } from './graph-numbers.ts'
import { HitGrid } from './hit-grid.ts'

const goldenAngle = Math.PI * (3 - Math.sqrt(5))
const besideDistance = 55
/** Angle between two spots beside a node, and spots at one distance from it. */
const besideAngle = 0.55
const spotsOnRing = 9
const ringGap = 30
const spotsMax = 600
const looseGap = 44

/**
 * Places nodes whose positions are NaN on free ground beside a placed neighbour, hop by hop; nodes not connected to any
 * placed node go beside others without relations, or to the rim.
 */
export function placeNewNodes(positions: Float32Array, numbers: GraphNumbers): void {
  const isNew = (node: number) => Number.isNaN(positions[2 * node]!)
  const newcomers: number[] = []
  for (let node = 0; 2 * node < positions.length; node++) if (isNew(node)) newcomers.push(node)
  if (newcomers.length === 0) return
  const outward = centreOf(positions)
  const ground = new Ground(positions, numbers.radius, newcomers)
  const parents = new Set<number>()
  for (const node of newcomers) {
    for (const other of numbers.neighbours(node)) if (!isNew(other)) parents.add(other)
  }
  const queue = [...parents].sort((a, b) => a - b)
  for (let head = 0; head < queue.length; head++) {
    const parent = queue[head]!
    for (const node of numbers.neighbours(parent)) {
      if (!isNew(node)) continue
      ground.settle(positions, node, spotsBeside(positions, parent, outward))
      queue.push(node)
    }
  }

  const left = newcomers.filter(isNew)
  if (left.length === 0) return
  const meeting = meetingPoint(positions, numbers, outward)
  for (const node of left) {
    if (!isNew(node)) continue
    ground.settle(positions, node, spotsAround(meeting))
    // Its own neighbours belong beside it, not in the order of their rows.
    for (const queue = [node]; queue.length > 0; ) {
      const parent = queue.pop()!
      for (const other of numbers.neighbours(parent)) {
        if (!isNew(other)) continue
        ground.settle(positions, other, spotsBeside(positions, parent, outward))
        queue.push(other)
      }
    }
  }
}

/**
 * Forgets the places of nodes that lie farther than this from each of their neighbours, if they have joined a region:
 * only then the map takes another place for them.
 */
export function forgetStrays(
  positions: Float32Array,
  hasJoined: (node: number) => boolean,
  numbers: GraphNumbers,
  distanceMax: number,
): void {
  const places = positions.slice()
  for (let node = 0; 2 * node < places.length; node++) {
    if (!hasJoined(node) || Number.isNaN(places[2 * node]!)) continue
    let nearest = Number.NaN
    for (const other of numbers.neighbours(node)) {
      const dx = places[2 * other]! - places[2 * node]!
      const dy = places[2 * other + 1]! - places[2 * node + 1]!
      const distance = Math.hypot(dx, dy)
      if (other !== node && !(distance > nearest)) nearest = distance
    }
    if (nearest > distanceMax) positions.fill(Number.NaN, 2 * node, 2 * node + 2)
  }
}

type Place = readonly [x: number, y: number]
type Centre = { x: number; y: number; reach: number }

const cell = 34
const keyOf = (column: number, row: number) => column * 4_000_037 + row

/** Which ground is taken: by the nodes that have places already, and by those placed meanwhile. */
class Ground {
  readonly #before: HitGrid | null
  readonly #taken = new Set<number>()

  constructor(positions: Float32Array, radius: Float32Array, newcomers: readonly number[]) {
    const placed = new Uint8Array(radius.length).fill(1)
    for (const node of newcomers) placed[node] = 0
    this.#before = newcomers.length < radius.length ? new HitGrid(positions.slice(), radius, placed) : null
  }

  /** Places a node on the first of these spots that is free, or on the last. */
  settle(positions: Float32Array, node: number, spots: Iterable<Place>): void {
    let [x, y] = [0, 0]
    for ([x, y] of spots) if (this.#isFree(x, y)) break
    positions[2 * node] = x
    positions[2 * node + 1] = y
    this.#taken.add(keyOf(Math.round(x / cell), Math.round(y / cell)))
  }

  #isFree(x: number, y: number): boolean {
    const [column, row] = [Math.round(x / cell), Math.round(y / cell)]
    for (let i = -1; i <= 1; i++)
      for (let j = -1; j <= 1; j++) if (this.#taken.has(keyOf(column + i, row + j))) return false
    return this.#before === null || !this.#before.hasWithin(x, y, 1.5 * cell)
  }
}

/** Spots fan out away from the centre of the picture, where there is room, then farther and farther. */
function* spotsBeside(positions: Float32Array, parent: number, centre: Centre): Generator<Place> {
  const px = positions[2 * parent]!
  const py = positions[2 * parent + 1]!
  const away = Math.atan2(py - centre.y, px - centre.x)
  for (let i = 0; i < spotsMax; i++) {
    const ring = Math.floor(i / spotsOnRing)
    const number = i % spotsOnRing
    const side = (number % 2 === 0 ? 1 : -1) * Math.ceil(number / 2)
    const angle = away + (side + (ring % 2) / 2) * besideAngle
    const distance = besideDistance + ringGap * ring
    yield [px + Math.cos(angle) * distance, py + Math.sin(angle) * distance]
  }
}

function* spotsAround({ x, y }: { x: number; y: number }): Generator<Place> {
  for (let i = 0; ; i++) {
    const distance = looseGap * Math.sqrt(i)
    yield [x + Math.cos(i * goldenAngle) * distance, y + Math.sin(i * goldenAngle) * distance]
  }
}

/** Where nodes without relations are; below everything if there are none. */
function meetingPoint(positions: Float32Array, numbers: GraphNumbers, all: Centre) {
  let [x, y, count] = [0, 0, 0]
  for (let node = 0; 2 * node < positions.length; node++) {
    if (Number.isNaN(positions[2 * node]!) || numbers.degree(node) > 0) continue
    x += positions[2 * node]!
    y += positions[2 * node + 1]!
    count++
  }
  if (count > 0) return { x: x / count, y: y / count }
  return { x: all.x, y: all.reach === 0 ? all.y : all.y + all.reach + 2 * besideDistance }
}

/** Of the nodes that have places. */
function centreOf(positions: Float32Array): Centre {
  let [x, y, count] = [0, 0, 0]
  for (let i = 0; i < positions.length; i += 2) {
    if (Number.isNaN(positions[i]!)) continue
    x += positions[i]!
    y += positions[i + 1]!
    count++
  }
  if (count === 0) return { x: 0, y: 0, reach: 0 }
  x /= count
  y /= count
  let square = 0
  for (let i = 0; i < positions.length; i += 2) {
    const [dx, dy] = [positions[i]! - x, positions[i + 1]! - y]
    // Also false for a node without a place.
    if (dx * dx + dy * dy > square) square = dx * dx + dy * dy
  }
  return { x, y, reach: Math.sqrt(square) }
}
