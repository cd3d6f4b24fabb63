import type { Rect, Wall } from './room-plan.ts'

export type Point = { x: number; y: number }

/** Width of the gap in a wall. */
export const doorWidth = 18
/** Where the door of a wall may be, as a share of its length, the best place first. */
const doorsAt = [0.72, 0.5, 0.88, 0.3]
/** How far the recall line runs below its dots. */
const corridor = 28

/** The two sides of a wall's door. No other wall ends at it. */
function doorOf({ x1, y1, x2, y2 }: Wall, walls: readonly Wall[]) {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const half = Math.min(0.5, doorWidth / 2 / length)
  const at = (part: number): Point => ({ x: x1 + (x2 - x1) * part, y: y1 + (y2 - y1) * part })
  const ends = walls.flatMap((wall) => [
    { x: wall.x1, y: wall.y1 },
    { x: wall.x2, y: wall.y2 },
  ])
  const isFree = (part: number) =>
    ends.every(({ x, y }) => Math.hypot(x - at(part).x, y - at(part).y) > doorWidth)
  const place = Math.min(doorsAt.find(isFree) ?? doorsAt[0]!, 1 - half)
  return { from: at(place - half), to: at(place + half) }
}

/** A wall with a gap for its door. */
export function wallPath(wall: Wall, walls: readonly Wall[] = []): string {
  const { from, to } = doorOf(wall, walls)
  return `M${wall.x1} ${wall.y1}L${from.x} ${from.y}M${to.x} ${to.y}L${wall.x2} ${wall.y2}`
}

/** An open door in a wall, in the notation of architects. */
export function doorPath(wall: Wall, walls: readonly Wall[] = []): string {
  const { from, to } = doorOf(wall, walls)
  const isUpright = wall.x1 === wall.x2
  const leaf = isUpright ? `H${from.x - doorWidth}` : `V${from.y - doorWidth}`
  return `M${from.x} ${from.y}${leaf}A${doorWidth} ${doorWidth} 0 0 ${isUpright ? 0 : 1} ${to.x} ${to.y}`
}

/** The outer wall, with a gap in its left side at `entry` if given. */
export function housePath({ x, y, width, height }: Rect, entry?: number): string {
  const [right, foot] = [x + width, y + height]
  if (entry === undefined) return `M${x} ${y}H${right}V${foot}H${x}Z`
  const [above, below] = [entry - doorWidth * 0.75, entry + doorWidth * 0.75]
  const jamb = (at: number) => `M${x - 5} ${at}h10`
  return `M${x} ${above}V${y}H${right}V${foot}H${x}V${below}${jamb(above)}${jamb(below)}`
}

/** One line from each place to the next, first across and then up or down. */
export function walkPath(places: readonly Point[]): string {
  const [first, ...rest] = places
  if (first === undefined || rest.length === 0) return ''
  return `M${first.x} ${first.y}${rest.map(({ x, y }) => `H${x}V${y}`).join('')}`
}

/** One line through all places: down from each to a corridor between the first and the last. */
export function recallPath(places: readonly Point[], { y, height }: Rect): string {
  const [first, ...rest] = places.toSorted((a, b) => a.x - b.x)
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return ''
  const floor = Math.min(Math.max(...places.map((place) => place.y)) + corridor, y + height - 8)
  const branches = rest.slice(0, -1).map((place) => `M${place.x} ${place.y}V${floor}`)
  return `M${first.x} ${first.y}V${floor}H${last.x}V${last.y}${branches.join('')}`
}
