import { screenRadius } from './geometry.ts'

/**
 * Finds the node at a point. Nodes are sorted by cell into typed arrays, which takes a few milliseconds
 * at 100,000 nodes, so the grid is simply rebuilt after nodes move.
 */
export class HitGrid {
  readonly #positions: Float32Array
  readonly #radius: Float32Array
  readonly #cell: number
  readonly #left: number
  readonly #top: number
  readonly #columns: number
  readonly #rows: number
  readonly #start: Uint32Array
  readonly #nodes: Uint32Array

  constructor(positions: Float32Array, radius: Float32Array, visible: Uint8Array | null = null) {
    this.#positions = positions
    this.#radius = radius
    const nodeCount = radius.length
    let left = Infinity
    let top = Infinity
    let right = -Infinity
    let bottom = -Infinity
    for (let i = 0; i < nodeCount; i++) {
      const x = positions[2 * i]!
      const y = positions[2 * i + 1]!
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      if (y > bottom) bottom = y
    }
    const width = nodeCount > 0 ? right - left : 0
    const height = nodeCount > 0 ? bottom - top : 0
    // About one node per cell, with a bound on memory when a few nodes are far out.
    this.#cell = Math.max(
      40,
      Math.sqrt((width * height) / Math.max(1, nodeCount)),
      Math.max(width, height) / 2000,
    )
    this.#left = nodeCount > 0 ? left : 0
    this.#top = nodeCount > 0 ? top : 0
    this.#columns = Math.floor(width / this.#cell) + 1
    this.#rows = Math.floor(height / this.#cell) + 1

    this.#start = new Uint32Array(this.#columns * this.#rows + 1)
    const cellOf = new Uint32Array(nodeCount)
    let count = 0
    for (let i = 0; i < nodeCount; i++) {
      if (visible && visible[i] === 0) continue
      const column = Math.floor((positions[2 * i]! - this.#left) / this.#cell)
      const row = Math.floor((positions[2 * i + 1]! - this.#top) / this.#cell)
      cellOf[i] = row * this.#columns + column
      this.#start[cellOf[i]! + 1]!++
      count++
    }
    for (let c = 0; c < this.#columns * this.#rows; c++) this.#start[c + 1]! += this.#start[c]!
    this.#nodes = new Uint32Array(count)
    const next = this.#start.slice()
    for (let i = 0; i < nodeCount; i++) {
      if (visible && visible[i] === 0) continue
      this.#nodes[next[cellOf[i]!]!++] = i
    }
  }

  /**
   * The node at a graph point, -1 if there is none. If nodes overlap, the one whose centre is nearest.
   * @param slack pixels by which a miss still counts (a finger is wider than a mouse pointer)
   */
  find(x: number, y: number, scale: number, slack = 3): number {
    const reach = (screenRadius(20, scale) + slack) / scale
    let best = -1
    let bestDistance = Infinity
    this.#visit(x, y, reach, (node, distance) => {
      if (distance >= bestDistance) return
      if (distance > (screenRadius(this.#radius[node]!, scale) + slack) / scale) return
      best = node
      bestDistance = distance
    })
    return best
  }

  /** Whether a node's centre is nearer to a graph point than this. */
  hasWithin(x: number, y: number, distance: number): boolean {
    let found = false
    this.#visit(x, y, distance, (_, away) => {
      if (away < distance) found = true
    })
    return found
  }

  /** The node nearest to a graph point at any distance; -1 only if there are no nodes. */
  nearest(x: number, y: number): number {
    let best = -1
    let bestDistance = Infinity
    const visit = (node: number, distance: number) => {
      if (distance < bestDistance) {
        best = node
        bestDistance = distance
      }
    }
    for (let reach = this.#cell; reach < this.#cell * 64 && best < 0; reach *= 2) {
      this.#visit(x, y, reach, visit)
      // A node in a corner of the square may be farther away than one just outside it.
      if (best >= 0) this.#visit(x, y, bestDistance, visit)
    }
    if (best < 0) this.#visit(x, y, Infinity, visit)
    return best
  }

  #visit(x: number, y: number, reach: number, visit: (node: number, distance: number) => void): void {
    const clampColumn = (value: number) => Math.max(0, Math.min(this.#columns - 1, value))
    const clampRow = (value: number) => Math.max(0, Math.min(this.#rows - 1, value))
    const firstColumn = clampColumn(Math.floor((x - reach - this.#left) / this.#cell))
    const lastColumn = clampColumn(Math.floor((x + reach - this.#left) / this.#cell))
    const firstRow = clampRow(Math.floor((y - reach - this.#top) / this.#cell))
    const lastRow = clampRow(Math.floor((y + reach - this.#top) / this.#cell))
    for (let row = firstRow; row <= lastRow; row++) {
      const from = this.#start[row * this.#columns + firstColumn]!
      const to = this.#start[row * this.#columns + lastColumn + 1]!
      for (let k = from; k < to; k++) {
        const node = this.#nodes[k]!
        visit(node, Math.hypot(this.#positions[2 * node]! - x, this.#positions[2 * node + 1]! - y))
      }
    }
  }
}
