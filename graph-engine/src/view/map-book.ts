import type { GraphModel } from '../model/graph-model.ts'
import type { KeptPlaces, Regions } from '../protocol.ts'
import type { GraphMap, GraphMapPlace, GraphMapRegion } from '../types.ts'

/** Maps of more than this many times the nodes shown are drawn closer together, so that few nodes do not stand far apart. */
const sparseRatio = 1.5

/**
 * The map of the graph: where each node is, and in which region, whether or not it is shown now. Its units are those of
 * a picture of the whole graph; a part of it is drawn on a smaller scale.
 */
export class MapBook {
  readonly #regions: GraphMapRegion[] = []
  readonly #numbers = new Map<string, number>()
  readonly #places = new Map<string, GraphMapPlace>()
  /** Graph units of the picture per unit of the map. */
  #scale = 1

  get isEmpty(): boolean {
    return this.#places.size === 0
  }

  map(): GraphMap {
    return { regions: [...this.#regions], places: [...this.#places.values()] }
  }

  /** Takes over the places and tints that a map gives; others stay. */
  take({ regions, places }: GraphMap): void {
    const numbers = regions.map((region) => this.#numberOf(region))
    for (const place of places) this.#places.set(place.id, { ...place, region: numbers[place.region] ?? -1 })
  }

  /** Returns the place before and the one now. */
  move(
    id: string,
    [x, y]: readonly [number, number],
  ): { before: GraphMapPlace; place: GraphMapPlace } | undefined {
    const before = this.#places.get(id)
    if (!before) return undefined
    const place = { ...before, x: Math.round(x / this.#scale), y: Math.round(y / this.#scale) }
    this.#places.set(id, place)
    return { before, place }
  }

  /** Chooses the scale for a graph that is shown anew. */
  fit({ nodes }: GraphModel): void {
    const shown = nodes.filter(({ id }) => this.#places.has(id)).length
    const ratio = this.#places.size / Math.max(1, shown)
    // In steps, so that a growing graph keeps its scale.
    this.#scale = ratio <= sparseRatio ? 1 : 2 ** (-Math.round(Math.log2(ratio)) / 2)
  }

  /** What the map says of the nodes shown; null if it has none of them. */
  recall({ nodes, indexOf }: GraphModel): KeptPlaces | null {
    const positions = new Float32Array(2 * nodes.length).fill(Number.NaN)
    const region = new Int32Array(nodes.length).fill(-1)
    let known = 0
    for (const [node, { id }] of nodes.entries()) {
      const place = this.#places.get(id)
      if (!place) continue
      known++
      positions[2 * node] = place.x * this.#scale
      positions[2 * node + 1] = place.y * this.#scale
      region[node] = place.region
    }
    if (known === 0) return null
    const hub = Int32Array.from(this.#regions, ({ id }) => indexOf.get(id) ?? -1)
    return { positions, region, hub, tint: Uint8Array.from(this.#regions, ({ tint }) => tint) }
  }

  /**
   * Adds the nodes that the map lacks, and those that have come into a region; returns these. Then every node is put
   * where the map says, in its units, except those that a person placed.
   */
  remember(
    { nodes }: GraphModel,
    positions: Float32Array,
    regions: Regions | null,
    isPlacedByHand: (node: number) => boolean = () => false,
  ): GraphMapPlace[] {
    const numbers = regions ? this.#numbersOf(regions, nodes) : []
    const added: GraphMapPlace[] = []
    for (const [node, { id }] of nodes.entries()) {
      const known = this.#places.get(id)
      const region = numbers[regions?.of[node] ?? -1] ?? -1
      const stays = known !== undefined && (known.region >= 0 || region < 0)
      if (stays && isPlacedByHand(node)) continue
      const x = Math.round(positions[2 * node]! / this.#scale)
      const y = Math.round(positions[2 * node + 1]! / this.#scale)
      const place = stays ? known : { id, x, y, region }
      positions[2 * node] = place.x * this.#scale
      positions[2 * node + 1] = place.y * this.#scale
      if (stays) continue
      this.#places.set(id, place)
      added.push(place)
    }
    return added
  }

  regionId(key: number): string | undefined {
    return this.#regions[key]?.id
  }

  /** The numbers of the rows; regions that the map lacks are named after the node that represents them. */
  #numbersOf({ key, hub, of, tint, loose }: Regions, nodes: GraphModel['nodes']): number[] {
    const known = this.#regions.length
    return Array.from(key, (own, row) => {
      if (row === loose) return -1
      if (own < known) return own
      const id = this.#numbers.has(nodes[hub[row]!]!.id)
        ? this.#otherName(of, row, nodes)
        : nodes[hub[row]!]!.id
      return id === undefined ? -1 : this.#numberOf({ id, tint: tint[row]! % 8 })
    })
  }

  #otherName(of: Int32Array, row: number, nodes: GraphModel['nodes']): string | undefined {
    return nodes.find(({ id }, node) => of[node] === row && !this.#numbers.has(id))?.id
  }

  #numberOf(region: GraphMapRegion): number {
    const known = this.#numbers.get(region.id)
    if (known === undefined) {
      this.#numbers.set(region.id, this.#regions.length)
      return this.#regions.push(region) - 1
    }
    this.#regions[known] = region
    return known
  }
}
