/** Tracks where text can go without covering other text or nodes: a coarse grid of occupied cells. */
const cell = 3

export class Occupancy {
  readonly width: number
  readonly height: number
  readonly #columns: number
  readonly #rows: number
  readonly #taken: Uint8Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#columns = Math.ceil(width / cell) + 1
    this.#rows = Math.ceil(height / cell) + 1
    this.#taken = new Uint8Array(this.#columns * this.#rows)
  }

  /** Everything outside the area is free. */
  isFree(left: number, top: number, right: number, bottom: number): boolean {
    const [c1, r1, c2, r2] = this.#cells(left, top, right, bottom)
    for (let row = r1; row <= r2; row++) {
      for (let column = c1; column <= c2; column++) {
        if (this.#taken[row * this.#columns + column] !== 0) return false
      }
    }
    return true
  }

  take(left: number, top: number, right: number, bottom: number): void {
    const [c1, r1, c2, r2] = this.#cells(left, top, right, bottom)
    // `fill` would count an end below 0 from the end of the grid.
    if (c2 < c1) return
    for (let row = r1; row <= r2; row++) {
      this.#taken.fill(1, row * this.#columns + c1, row * this.#columns + c2 + 1)
    }
  }

  #cells(left: number, top: number, right: number, bottom: number): [number, number, number, number] {
    return [
      Math.max(0, Math.floor(left / cell)),
      Math.max(0, Math.floor(top / cell)),
      Math.min(this.#columns - 1, Math.floor(right / cell)),
      Math.min(this.#rows - 1, Math.floor(bottom / cell)),
    ]
  }
}

/** The centre of a text, and the side of its node that it is on. */
export type PlacedLabel = { node: number; x: number; y: number; side: number }

const lineHeight = 15
const gap = 3
/** Least distance of two names on one line, that they read as two. */
const nameGap = 6

/** Below, above, right, left of a node; the corners are for important names. */
export const plainSides: readonly number[] = [0, 1, 2, 3]
export const allSides: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7]

/** The sides, starting with the side that a name had before, so that names do not jump. */
export function startingWith(side: number | undefined, sides: readonly number[]): readonly number[] {
  return side === undefined || !sides.includes(side)
    ? sides
    : [side, ...sides.filter((other) => other !== side)]
}

/**
 * Finds room for one name on the first side with enough space.
 * @param avoid must not be covered either, but is not occupied
 */
export function placeLabel(
  occupancy: Occupancy,
  node: number,
  x: number,
  y: number,
  radius: number,
  textWidth: number,
  sides: readonly number[],
  avoid?: Occupancy,
): PlacedLabel | null {
  for (const side of sides) {
    const placed = labelAt(node, x, y, radius, textWidth, side)
    // Above and below, a name can shift to stay inside; beside its node it cannot.
    const inside = Math.min(occupancy.width - textWidth / 2 - 2, Math.max(textWidth / 2 + 2, placed.x))
    if (side > 1 && inside !== placed.x) continue
    placed.x = inside
    if (placed.y < 7 || placed.y > occupancy.height - 7) continue
    const [left, top, right, bottom] = [
      placed.x - textWidth / 2,
      placed.y - 7,
      placed.x + textWidth / 2,
      placed.y + 7,
    ]
    if (!occupancy.isFree(left, top, right, bottom) || avoid?.isFree(left, top, right, bottom) === false)
      continue
    occupancy.take(left - nameGap, top, right + nameGap, bottom)
    return placed
  }
  return null
}

export function labelAt(
  node: number,
  x: number,
  y: number,
  radius: number,
  textWidth: number,
  side: number,
): PlacedLabel {
  const vertical = radius + gap + lineHeight / 2
  const horizontal = radius + gap + 3 + textWidth / 2
  if (side === 0) return { node, x, y: y + vertical, side }
  if (side === 1) return { node, x, y: y - vertical, side }
  if (side === 2) return { node, x: x + horizontal, y, side }
  if (side === 3) return { node, x: x - horizontal, y, side }
  const right = side % 2 === 0 ? 1 : -1
  const down = side < 6 ? 1 : -1
  const corner = radius * Math.SQRT1_2
  return {
    node,
    x: x + right * (corner + gap + textWidth / 2),
    y: y + down * (corner + lineHeight / 2),
    side,
  }
}
