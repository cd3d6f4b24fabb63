export type Direction = 'left' | 'right' | 'up' | 'down'

const vectors: Readonly<Record<Direction, readonly [x: number, y: number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
}

// More than 75 degrees off, nobody would say that a node is "to the right".
const cosineMin = Math.cos((75 * Math.PI) / 180)

/** The nearest candidate in a direction, where an offset from the axis adds distance; -1 if none. */
export function nearestInDirection(
  from: number,
  candidates: Iterable<number>,
  direction: Direction,
  positions: Float32Array,
): number {
  const [ux, uy] = vectors[direction]
  let best = -1
  let bestCost = Infinity
  for (const node of candidates) {
    if (node === from) continue
    const dx = positions[2 * node]! - positions[2 * from]!
    const dy = positions[2 * node + 1]! - positions[2 * from + 1]!
    const distance = Math.hypot(dx, dy)
    const cosine = (dx * ux + dy * uy) / (distance || 1)
    if (cosine < cosineMin) continue
    const cost = distance / cosine
    if (cost < bestCost) {
      best = node
      bestCost = cost
    }
  }
  return best
}
