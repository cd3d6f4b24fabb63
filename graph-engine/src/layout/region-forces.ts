import type { Regions } from '../protocol.ts'
import { separateOverlaps } from './collision.ts'

const smallNodesMax = 800
const goldenAngle = Math.PI * (3 - Math.sqrt(5))
const startSteps = 260
const pullMax = 0.22
const startGravity = 0.05
const gapInLengths = 0.43
const eagerness = 0.45
const wholeGravity = 0.09
const innerPull = 0.14
const ticksPerMeasure = 10

/** Length of a link inside a region; all other lengths derive from it. */
export function linkLengthFor(nodeCount: number): number {
  return nodeCount <= smallNodesMax ? 70 : 56
}

type Links = { source: Uint32Array; target: Uint32Array }

/** The radius of a region's disc. */
export function discReach(nodeCount: number, length: number): number {
  return 0.52 * length * Math.sqrt(nodeCount) + 0.3 * length
}

/** Places the node of a rank on a sunflower spiral that fills a disc. */
export function sunflower(
  positions: Float32Array,
  node: number,
  rank: number,
  nodeCount: number,
  disc: { x: number; y: number; reach: number },
): void {
  const distance = disc.reach * Math.sqrt((rank + 0.5) / nodeCount)
  positions[2 * node] = disc.x + Math.cos(rank * goldenAngle) * distance
  positions[2 * node + 1] = disc.y + Math.sin(rank * goldenAngle) * distance
}

/** Links inside a region are short and strong, links between regions long and weak. */
export function regionLinks({ source, target }: Links, of: Int32Array, length: number) {
  const inner = new Uint32Array(of.length)
  const degree = new Uint32Array(of.length)
  for (let i = 0; i < source.length; i++) {
    const [s, t] = [source[i]!, target[i]!]
    degree[s]!++
    degree[t]!++
    if (of[s] !== of[t]) continue
    inner[s]!++
    inner[t]!++
  }
  const isInner = (i: number) => of[source[i]!] === of[target[i]!]
  const least = (counts: Uint32Array, i: number) => Math.min(counts[source[i]!]!, counts[target[i]!]!)
  return {
    distance: Float32Array.from(source, (_, i) => (isInner(i) ? length : 3 * length)),
    strength: Float32Array.from(source, (_, i) =>
      isInner(i) ? 1 / least(inner, i) : 0.06 / least(degree, i),
    ),
  }
}

/** Where nodes start, and the discs of their regions. */
export type StartingPlaces = {
  positions: Float32Array
  reach: Float64Array
  x: Float64Array
  y: Float64Array
}

/**
 * Places the regions as discs, related ones close together, and the nodes of each on a sunflower spiral
 * by degree.
 */
export function startingPlaces(
  { of, size }: Regions,
  links: Links,
  length: number,
  aspect: number,
): StartingPlaces {
  const reach = Float64Array.from(size, (count) => discReach(count, length))
  const { x, y } = placeDiscs(of, size, reach, links, length, aspect)
  const degree = new Uint32Array(of.length)
  for (const ends of [links.source, links.target]) for (const node of ends) degree[node]!++
  const byDegree = Uint32Array.from(of.keys()).sort((a, b) => degree[b]! - degree[a]! || a - b)
  const placed = new Uint32Array(size.length)
  const positions = new Float32Array(2 * of.length)
  for (const node of byDegree) {
    const row = of[node]!
    const rank = placed[row]!++
    sunflower(positions, node, rank, size[row]!, { x: x[row]!, y: y[row]!, reach: reach[row]! })
  }
  return { positions, reach, x, y }
}

function placeDiscs(
  of: Int32Array,
  size: Uint32Array,
  reach: Float64Array,
  links: Links,
  length: number,
  aspect: number,
) {
  const count = size.length
  const total = Math.sqrt(reach.reduce((sum, r) => sum + r * r, 0))
  const stretch = Math.sqrt(aspect)
  const spot = (row: number) => 1.2 * total * Math.sqrt((row + 0.5) / count)
  const x = Float64Array.from(
    { length: count },
    (_, row) => Math.cos(row * goldenAngle) * spot(row) * stretch,
  )
  const y = Float64Array.from(
    { length: count },
    (_, row) => (Math.sin(row * goldenAngle) * spot(row)) / stretch,
  )
  const pulls = pullsBetween(of, size, links)
  const free = new Uint8Array(count)
  const room = Float32Array.from(reach, (r) => r + (gapInLengths * length) / 2)
  for (let step = 0; step < startSteps; step++) {
    const alpha = 1 - step / startSteps
    for (const { a, b, pull } of pulls) {
      const dx = x[b]! - x[a]!
      const dy = y[b]! - y[a]!
      const distance = Math.sqrt(dx * dx + dy * dy) || 1
      const gap = Math.max(0, distance - reach[a]! - reach[b]!) / distance
      // The smaller region moves towards the larger.
      const share = size[b]! / (size[a]! + size[b]!)
      const by = pull * alpha * gap
      x[a]! += dx * by * share
      y[a]! += dy * by * share
      x[b]! -= dx * by * (1 - share)
      y[b]! -= dy * by * (1 - share)
    }
    for (let row = 0; row < count; row++) {
      x[row]! *= 1 - (startGravity * alpha) / aspect
      y[row]! *= 1 - startGravity * alpha * aspect
    }
    // While they still travel, they need not be apart.
    for (let turn = alpha > 0.5 ? 1 : 0; turn < 2; turn++)
      separateOverlaps(x, y, room, free, { gap: 0, eagerness: 2 * eagerness })
  }
  return { x, y }
}

/** Attraction between linked regions, by the density of links between them. */
function pullsBetween(of: Int32Array, size: Uint32Array, { source, target }: Links) {
  const counts = new Map<number, number>()
  for (let i = 0; i < source.length; i++) {
    const [a, b] = [of[source[i]!]!, of[target[i]!]!]
    const key = a < b ? a * size.length + b : b * size.length + a
    if (a !== b) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const pairs = [...counts].map(([key, count]) => {
    const [a, b] = [Math.floor(key / size.length), key % size.length]
    return { a, b, weight: count / Math.sqrt(size[a]! * size[b]!) }
  })
  const most = pairs.reduce((max, { weight }) => Math.max(max, weight), 0)
  return pairs.map(({ a, b, weight }) => ({ a, b, pull: pullMax * (weight / most) ** 0.7 }))
}

/** Keeps the nodes of each region together and the regions apart while nodes move. */
export class RegionForces {
  readonly #regions: Regions
  readonly #length: number
  readonly #stretch: number
  readonly #reach: Float64Array
  readonly #x: Float64Array
  readonly #y: Float64Array
  readonly #room: Float32Array
  readonly #free: Uint8Array
  #ticks = 0

  constructor(regions: Regions, reach: Float64Array, length: number, aspect: number) {
    const count = regions.size.length
    this.#regions = regions
    this.#reach = reach.slice()
    this.#length = length
    this.#stretch = aspect
    this.#x = new Float64Array(count)
    this.#y = new Float64Array(count)
    this.#room = new Float32Array(count)
    this.#free = new Uint8Array(count)
  }

  /** Pulls nodes towards the centre of their region, harder beyond its rim. */
  pull(alpha: number, x: Float64Array, y: Float64Array, speedX: Float64Array, speedY: Float64Array): void {
    this.#measureCentres(x, y)
    const { of } = this.#regions
    for (let node = 0; node < of.length; node++) {
      const row = of[node]!
      const dx = x[node]! - this.#x[row]!
      const dy = y[node]! - this.#y[row]!
      const distance = Math.sqrt(dx * dx + dy * dy)
      const beyond = Math.max(0, distance - this.#reach[row]!)
      const strength = innerPull * alpha * (1 + (3 * beyond) / (distance || 1))
      speedX[node]! -= dx * strength
      speedY[node]! -= dy * strength
    }
  }

  /** Moves whole regions apart, and all of them towards the centre. */
  move(alpha: number, x: Float64Array, y: Float64Array, pinned: Uint8Array): void {
    this.#measureCentres(x, y)
    if (this.#ticks++ % ticksPerMeasure === 0) this.#measureReach(x, y)
    const { of } = this.#regions
    const beforeX = this.#x.slice()
    const beforeY = this.#y.slice()
    const gravity = wholeGravity * (alpha + 0.05)
    for (let row = 0; row < this.#x.length; row++) {
      this.#x[row]! *= 1 - gravity / this.#stretch
      this.#y[row]! *= 1 - gravity * this.#stretch
      this.#room[row] = this.#reach[row]! + (gapInLengths * this.#length) / 2
    }
    separateOverlaps(this.#x, this.#y, this.#room, this.#free, { gap: 0, eagerness: 2 * eagerness })
    for (let node = 0; node < of.length; node++) {
      if (pinned[node] === 1) continue
      const row = of[node]!
      x[node]! += this.#x[row]! - beforeX[row]!
      y[node]! += this.#y[row]! - beforeY[row]!
    }
  }

  #measureCentres(x: Float64Array, y: Float64Array): void {
    const { of, size } = this.#regions
    this.#x.fill(0)
    this.#y.fill(0)
    for (let node = 0; node < of.length; node++) {
      this.#x[of[node]!]! += x[node]! / size[of[node]!]!
      this.#y[of[node]!]! += y[node]! / size[of[node]!]!
    }
  }

  #measureReach(x: Float64Array, y: Float64Array): void {
    const { of, size } = this.#regions
    const squares = new Float64Array(size.length)
    for (let node = 0; node < of.length; node++) {
      const row = of[node]!
      squares[row]! += ((x[node]! - this.#x[row]!) ** 2 + (y[node]! - this.#y[row]!) ** 2) / size[row]!
    }
    for (let row = 0; row < size.length; row++) {
      const wanted = 1.5 * Math.sqrt(squares[row]!) + 0.35 * this.#length
      this.#reach[row]! += 0.35 * (wanted - this.#reach[row]!)
    }
  }
}

/** The centre of each region, x0, y0, x1, y1, ... */
export function centresOf({ of, size }: Pick<Regions, 'of' | 'size'>, positions: Float32Array): Float64Array {
  const centres = new Float64Array(2 * size.length)
  for (let node = 0; node < of.length; node++) {
    const row = of[node]!
    centres[2 * row]! += positions[2 * node]! / size[row]!
    centres[2 * row + 1]! += positions[2 * node + 1]! / size[row]!
  }
  return centres
}
