import { separateOverlaps } from '@loci/graph/layout/collision'
import type { GraphMap } from '@loci/graph/types'

/** What an answer says of the map: `region` is an index in its list, -1 for none. */
type Answer = {
  regions?: { id: string; name: string; tint: number }[]
  places?: Record<string, [x: number, y: number, region: number]>
}

/** Empty ground between two nodes is drawn no wider than this. */
const gapMax = 90
/** The picture is about this wide for one node, and grows with the square root of their number. */
const roomPerNode = 130
const radius = 20
const gap = 30
const turns = 80

/**
 * Where the memory's own map has what is shown. The picture is small and shows little of it: what lies between is left
 * out, and what is left keeps its order from left to right and from top to bottom.
 */
export class Places {
  readonly #regions: { id: string; name: string; tint: number }[] = []
  readonly #places = new Map<string, { x: number; y: number; region: number }>()

  /** Whether it told anything new. */
  take(answer: unknown): boolean {
    const { regions = [], places = {} } = Object(answer) as Answer
    const numbers = regions.map((region) => {
      const known = this.#regions.findIndex(({ id }) => id === region.id)
      return known >= 0 ? known : this.#regions.push(region) - 1
    })
    const before = this.#places.size
    for (const [name, [x, y, region]] of Object.entries(places))
      if (!this.#places.has(name)) this.#places.set(name, { x, y, region: numbers[region] ?? -1 })
    return this.#places.size > before
  }

  map(): GraphMap {
    const known = [...this.#places]
    const [x, y] = drawnTogether(
      known.map(([, place]) => place.x),
      known.map(([, place]) => place.y),
    )
    const places = known.map(([id, { region }], i) => ({
      id,
      x: Math.round(x[i]!),
      y: Math.round(y[i]!),
      region,
    }))
    return { regions: this.#regions, places }
  }

  /** The names of the regions, each by the name of an entity in it. */
  regionNames(): Record<string, string> {
    const inside = (region: number) => [...this.#places].find(([, place]) => place.region === region)
    return Object.fromEntries(
      this.#regions.flatMap(({ name }, region) => {
        const member = inside(region)
        return member ? [[member[0], name]] : []
      }),
    )
  }
}

function drawnTogether(xs: readonly number[], ys: readonly number[]): [x: Float64Array, y: Float64Array] {
  const [x, y] = [withoutGaps(xs), withoutGaps(ys)]
  const extent = Math.max(1, ...x, ...y)
  const scale = Math.min(1, (roomPerNode * Math.sqrt(x.length)) / extent)
  for (const values of [x, y]) for (let i = 0; i < values.length; i++) values[i]! *= scale
  const sizes = new Float32Array(x.length).fill(radius)
  const free = new Uint8Array(x.length)
  for (let turn = 0; turn < turns; turn++) separateOverlaps(x, y, sizes, free, { gap, eagerness: 0.5 })
  return [x, y]
}

/** In the same order from 0 on. */
function withoutGaps(values: readonly number[]): Float64Array {
  const result = new Float64Array(values.length)
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!)
  for (const [rank, i] of order.entries()) {
    const before = order[rank - 1]
    if (before !== undefined) result[i] = result[before]! + Math.min(gapMax, values[i]! - values[before]!)
  }
  return result
}
