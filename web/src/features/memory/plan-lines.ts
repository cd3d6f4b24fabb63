import type { Rect, Wall } from './room-plan.ts'

export type Point = { x: number; y: number }

/** Width of the gap in a wall. */
export const doorWidth = 18
/** The position of a wall's door, as a share of its length. */
const doorAt = 0.72
/** How far the recall line runs below its dots. */
const corridor = 28

const doorOf = ({ x1, y1, x2, y2 }: Wall) => {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const half = Math.min(0.5, doorWidth / 2 / length)
  const at = (part: number): Point => ({ x: x1 + (x2 - x1) * part, y: y1 + (y2 - y1) * part })
  return { from: at(Math.min(doorAt, 1 - half) - half), to: at(Math.min(doorAt, 1 - half) + half) }
}

/** A wall with a gap for its door. */
export function wallPath(wall: Wall): string {
  const { from, to } = doorOf(wall)
  return `M${wall.x1} ${wall.y1}L${from.x} ${from.y}M${to.x} ${to.y}L${wall.x2} ${wall.y2}`
}

/** An open door in a wall, in the notation of architects. */
export function doorPath(wall: Wall): string {
  const { from, to } = doorOf(wall)
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

/** One line through all places: down from each to a corridor between the first and the last. */
export function recallPath(places: readonly Point[], { y, height }: Rect): string {
  const [first, ...rest] = places.toSorted((a, b) => a.x - b.x)
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return ''
  const floor = Math.min(Math.max(...places.map((place) => place.y)) + corridor, y + height - 8)
  const branches = rest.slice(0, -1).map((place) => `M${place.x} ${place.y}V${floor}`)
  return `M${first.x} ${first.y}V${floor}H${last.x}V${last.y}${branches.join('')}`
}
