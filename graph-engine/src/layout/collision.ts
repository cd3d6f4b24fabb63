type Separation = { gap: number; eagerness: number }

const ofNodes: Separation = { gap: 8, eagerness: 0.5 }

/**
 * Separates overlapping nodes by `eagerness` of the way per call, leaving `gap` between them.
 * Neighbours come from a grid of linked lists.
 */
export function separateOverlaps(
  x: Float64Array,
  y: Float64Array,
  radius: Float32Array,
  pinned: Uint8Array,
  separation = ofNodes,
): void {
  const nodeCount = radius.length
  if (nodeCount < 2) return
  let radiusMax = 0
  let left = Infinity
  let top = Infinity
  let right = -Infinity
  let bottom = -Infinity
  for (let i = 0; i < nodeCount; i++) {
    radiusMax = Math.max(radiusMax, radius[i]!)
    left = Math.min(left, x[i]!)
    right = Math.max(right, x[i]!)
    top = Math.min(top, y[i]!)
    bottom = Math.max(bottom, y[i]!)
  }
  const extent = Math.max(right - left, bottom - top)
  const cell = Math.max(2 * radiusMax + separation.gap, extent / 1500)
  const columns = Math.floor((right - left) / cell) + 1
  const rows = Math.floor((bottom - top) / cell) + 1
  const head = new Int32Array(columns * rows).fill(-1)
  const next = new Int32Array(nodeCount)
  for (let i = 0; i < nodeCount; i++) {
    const c = Math.floor((y[i]! - top) / cell) * columns + Math.floor((x[i]! - left) / cell)
    next[i] = head[c]!
    head[c] = i
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let i = head[row * columns + column]!; i >= 0; i = next[i]!) {
        for (let j = next[i]!; j >= 0; j = next[j]!) separate(i, j, x, y, radius, pinned, separation)
        // Half of the neighbours; the other half check this cell.
        for (let side = 0; side < 4; side++) {
          const otherColumn = column + (side === 0 ? 1 : side - 2)
          const otherRow = row + (side === 0 ? 0 : 1)
          if (otherColumn < 0 || otherColumn >= columns || otherRow >= rows) continue
          for (let j = head[otherRow * columns + otherColumn]!; j >= 0; j = next[j]!) {
            separate(i, j, x, y, radius, pinned, separation)
          }
        }
      }
    }
  }
}

function separate(
  i: number,
  j: number,
  x: Float64Array,
  y: Float64Array,
  radius: Float32Array,
  pinned: Uint8Array,
  { gap, eagerness }: Separation,
): void {
  const wanted = radius[i]! + radius[j]! + gap
  const dx = x[j]! - x[i]!
  const dy = y[j]! - y[i]!
  const square = dx * dx + dy * dy
  if (square >= wanted * wanted) return
  const distance = Math.sqrt(square) || 1e-3
  const push = (((wanted - distance) / distance) * eagerness) / 2
  if (pinned[i] !== 1) {
    x[i]! -= (dx || 1e-3) * push
    y[i]! -= dy * push
  }
  if (pinned[j] !== 1) {
    x[j]! += (dx || 1e-3) * push
    y[j]! += dy * push
  }
}
