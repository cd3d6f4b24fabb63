const depthMax = 40

/**
 * A Barnes-Hut tree over points: distant groups of points repel as one. Everything is in typed arrays
 * that are reused from tick to tick. A child is 0 (none), a cell (> 0) or a point (-(index + 1)).
 */
export class QuadTree {
  readonly #count: number
  readonly #next: Int32Array
  #capacity = 0
  #child = new Int32Array(0)
  #mass = new Float64Array(0)
  #centreX = new Float64Array(0)
  #centreY = new Float64Array(0)
  #cells = 0
  #size = 0
  readonly #stack = new Int32Array(4 * depthMax + 64)
  readonly #stackSize = new Float64Array(4 * depthMax + 64)

  constructor(count: number) {
    this.#count = count
    this.#next = new Int32Array(count)
    this.#grow(2 * count + 64)
  }

  build(x: Float64Array, y: Float64Array): void {
    let left = Infinity
    let top = Infinity
    let right = -Infinity
    let bottom = -Infinity
    for (let i = 0; i < this.#count; i++) {
      const px = x[i]!
      const py = y[i]!
      if (px < left) left = px
      if (px > right) right = px
      if (py < top) top = py
      if (py > bottom) bottom = py
    }
    this.#size = Math.max(right - left, bottom - top) + 1e-6
    this.#cells = 1
    this.#child.fill(0, 0, 4)
    this.#next.fill(-1)
    for (let i = 0; i < this.#count; i++) this.#insert(i, x, y, left, top)
    this.#sum(x, y)
  }

  #insert(point: number, x: Float64Array, y: Float64Array, left: number, top: number): void {
    const px = x[point]!
    const py = y[point]!
    let cell = 0
    let half = this.#size / 2
    let cellLeft = left
    let cellTop = top
    for (let depth = 0; ; depth++) {
      const east = px >= cellLeft + half ? 1 : 0
      const south = py >= cellTop + half ? 1 : 0
      const slot = 4 * cell + 2 * south + east
      const value = this.#child[slot]!
      if (east) cellLeft += half
      if (south) cellTop += half
      half /= 2
      if (value === 0) {
        this.#child[slot] = -(point + 1)
        return
      }
      if (value > 0) {
        cell = value
        continue
      }
      const other = -value - 1
      if (depth > depthMax - 2 || (x[other] === px && y[other] === py)) {
        this.#next[point] = this.#next[other]!
        this.#next[other] = point
        return
      }
      if (this.#cells + 2 >= this.#capacity) this.#grow(this.#capacity * 2)
      const created = this.#cells++
      this.#child.fill(0, 4 * created, 4 * created + 4)
      this.#child[slot] = created
      const otherEast = x[other]! >= cellLeft + half ? 1 : 0
      const otherSouth = y[other]! >= cellTop + half ? 1 : 0
      this.#child[4 * created + 2 * otherSouth + otherEast] = value
      cell = created
    }
  }

  /** Parents are created before their children, so a backward sweep sums correctly. */
  #sum(x: Float64Array, y: Float64Array): void {
    const child = this.#child
    const mass = this.#mass
    const centreX = this.#centreX
    const centreY = this.#centreY
    for (let cell = this.#cells - 1; cell >= 0; cell--) {
      let m = 0
      let sx = 0
      let sy = 0
      for (let q = 4 * cell; q < 4 * cell + 4; q++) {
        const value = child[q]!
        if (value > 0) {
          m += mass[value]!
          sx += centreX[value]! * mass[value]!
          sy += centreY[value]! * mass[value]!
        } else if (value < 0) {
          for (let p = -value - 1; p >= 0; p = this.#next[p]!) {
            m++
            sx += x[p]!
            sy += y[p]!
          }
        }
      }
      mass[cell] = m
      centreX[cell] = sx / m
      centreY[cell] = sy / m
    }
  }

  /** Adds the forces of all other points on point `i` to its velocity. `strength` below 0 repels. */
  push(
    i: number,
    x: Float64Array,
    y: Float64Array,
    speedX: Float64Array,
    speedY: Float64Array,
    strength: number,
    thetaSquared: number,
  ): void {
    const child = this.#child
    const stack = this.#stack
    const stackSize = this.#stackSize
    const px = x[i]!
    const py = y[i]!
    let ax = 0
    let ay = 0
    stack[0] = 0
    stackSize[0] = this.#size * this.#size
    let top = 1
    while (top > 0) {
      const cell = stack[--top]!
      const sizeSquared = stackSize[top]!
      const dx = this.#centreX[cell]! - px
      const dy = this.#centreY[cell]! - py
      let square = dx * dx + dy * dy
      if (sizeSquared / thetaSquared < square) {
        if (square < 1) square = Math.sqrt(square)
        const force = (this.#mass[cell]! * strength) / square
        ax += dx * force
        ay += dy * force
        continue
      }
      for (let q = 4 * cell; q < 4 * cell + 4; q++) {
        const value = child[q]!
        if (value > 0) {
          stack[top] = value
          stackSize[top++] = sizeSquared / 4
        } else if (value < 0) {
          for (let p = -value - 1; p >= 0; p = this.#next[p]!) {
            if (p === i) continue
            let ex = x[p]! - px
            let ey = y[p]! - py
            let e = ex * ex + ey * ey
            if (e === 0) {
              // Coincident points separate in a direction that depends only on the index.
              ex = ((i % 7) - 3) * 1e-3
              ey = ((p % 5) - 2) * 1e-3 + (i < p ? 1e-4 : -1e-4)
              e = ex * ex + ey * ey
            }
            if (e < 1) e = Math.sqrt(e)
            const force = strength / e
            ax += ex * force
            ay += ey * force
          }
        }
      }
    }
    speedX[i]! += ax
    speedY[i]! += ay
  }

  #grow(capacity: number): void {
    this.#capacity = capacity
    const child = new Int32Array(4 * capacity)
    child.set(this.#child)
    this.#child = child
    this.#mass = new Float64Array(capacity)
    this.#centreX = new Float64Array(capacity)
    this.#centreY = new Float64Array(capacity)
  }
}
