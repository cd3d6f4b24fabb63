/** The sides of a cell, numbered in this order: top, right, bottom, left. */
type Side = 0 | 1 | 2 | 3

/**
 * Indexed by the corners inside (1 top left, 2 top right, 4 bottom right, 8 bottom left): from side to
 * side.
 */
const crossings: readonly (readonly [from: Side, to: Side])[][] = [
  [],
  [[3, 0]],
  [[0, 1]],
  [[3, 1]],
  [[1, 2]],
  [
    [3, 0],
    [1, 2],
  ],
  [[0, 2]],
  [[3, 2]],
  [[2, 3]],
  [[2, 0]],
  [
    [0, 1],
    [2, 3],
  ],
  [[2, 1]],
  [[1, 3]],
  [[1, 0]],
  [[0, 3]],
  [],
]

/**
 * Closed lines where the values cross 0 (marching squares), in cells; the border of the grid must be
 * outside.
 */
export function tracedLoops(values: Float32Array, columns: number, rows: number): number[][] {
  const next = new Map<number, number>()
  for (let row = 0; row < rows - 1; row++) {
    for (let column = 0; column < columns - 1; column++) {
      const i = row * columns + column
      const corners =
        Number(values[i]! > 0) +
        2 * Number(values[i + 1]! > 0) +
        4 * Number(values[i + columns + 1]! > 0) +
        8 * Number(values[i + columns]! > 0)
      for (const [from, to] of crossings[corners]!) {
        next.set(edgeOf(i, from, columns), edgeOf(i, to, columns))
      }
    }
  }
  const loops: number[][] = []
  for (const first of next.keys()) {
    const loop: number[] = []
    let edge: number | undefined = first
    while (edge !== undefined && next.has(edge)) {
      addPoint(loop, edge, values, columns)
      const after: number | undefined = next.get(edge)
      next.delete(edge)
      edge = after
    }
    if (loop.length >= 6) loops.push(loop)
  }
  return loops
}

/** A grid edge has one number, from whichever cell it is seen: even ones go right, odd ones down. */
function edgeOf(cell: number, side: Side, columns: number): number {
  if (side === 0) return 2 * cell
  if (side === 1) return 2 * (cell + 1) + 1
  if (side === 2) return 2 * (cell + columns)
  return 2 * cell + 1
}

function addPoint(loop: number[], edge: number, values: Float32Array, columns: number): void {
  const from = edge >> 1
  const isDown = edge % 2 === 1
  const a = values[from]!
  const b = values[from + (isDown ? columns : 1)]!
  const share = a / (a - b)
  loop.push((from % columns) + (isDown ? 0 : share), Math.floor(from / columns) + (isDown ? share : 0))
}

/** Cuts the corners of a closed line (Chaikin). */
export function smoothed(line: readonly number[]): number[] {
  const result: number[] = []
  for (let i = 0; i < line.length; i += 2) {
    const j = (i + 2) % line.length
    const [ax, ay, bx, by] = [line[i]!, line[i + 1]!, line[j]!, line[j + 1]!]
    result.push(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by, 0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)
  }
  return result
}
