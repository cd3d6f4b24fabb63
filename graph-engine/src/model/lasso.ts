/** The nodes inside a closed line, which is given as x0, y0, x1, y1, ... */
export function nodesInside(
  positions: Float32Array,
  shown: Uint8Array | null,
  line: readonly number[],
): number[] {
  const box = boxOf(line)
  const inside: number[] = []
  for (let node = 0; node < positions.length / 2; node++) {
    if (shown && shown[node] === 0) continue
    const x = positions[2 * node]!
    const y = positions[2 * node + 1]!
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue
    if (isInside(line, x, y)) inside.push(node)
  }
  return inside
}

/** Whether a ray to the right crosses the line an odd number of times. */
export function isInside(line: readonly number[] | Float32Array, x: number, y: number): boolean {
  let inside = false
  let ax = line.at(-2)!
  let ay = line.at(-1)!
  for (let i = 0; i < line.length; i += 2) {
    const bx = line[i]!
    const by = line[i + 1]!
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside
    ax = bx
    ay = by
  }
  return inside
}

function boxOf(line: readonly number[]) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (let i = 0; i < line.length; i += 2) {
    box.left = Math.min(box.left, line[i]!)
    box.right = Math.max(box.right, line[i]!)
    box.top = Math.min(box.top, line[i + 1]!)
    box.bottom = Math.max(box.bottom, line[i + 1]!)
  }
  return box
}
