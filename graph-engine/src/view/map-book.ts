import type { GraphModel } from '../model/graph-model.ts'
import { carryOver } from '../model/graph-numbers.ts'
import type { GraphPatch, KeptPlaces, Regions, SketchedMap } from '../protocol.ts'
import type { GraphMap, GraphMapPlace, GraphMapRegion } from '../types.ts'
import type { Steps } from './steps.ts'

/** Maps of more than this many times the nodes shown are drawn closer together, so that few nodes do not stand far apart. */
const sparseRatio = 1.5
/** So many places are taken over or remembered in one step. */
const placesPerStep = 10_000

type Shown = { model: GraphModel; version: number; positions: Float32Array; region: Int32Array }

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
  /** The places of the nodes of a model in one version, kept in step with the map. */
  #shown: Shown | null = null

  get isEmpty(): boolean {
    return this.#places.size === 0
  }

  get regions(): GraphMapRegion[] {
    return [...this.#regions]
  }

  map(): GraphMap {
    return { regions: this.regions, places: [...this.#places.values()] }
  }

  /** Takes over the places and tints that a map gives; others stay. */
  *take({ regions, places }: GraphMap): Steps<void> {
    const numbers = regions.map((region) => this.#numberOf(region))
    for (const [i, place] of places.entries()) {
      if (i % placesPerStep === placesPerStep - 1) yield
      const region = numbers[place.region] ?? -1
      const known = this.#places.get(place.id)
      if (known?.x === place.x && known.y === place.y && known.region === region) continue
      this.#put(region === place.region ? place : { ...place, region })
    }
  }

  /** Returns the place before and the one now. */
  move(
    id: string,
    [x, y]: readonly [number, number],
  ): { before: GraphMapPlace; place: GraphMapPlace } | undefined {
    const before = this.#places.get(id)
    if (!before) return undefined
    const place = { ...before, ...this.toMap([x, y]) }
    this.#put(place)
    return { before, place }
  }

  /** A point of the picture, in whole units of the map. */
  toMap([x, y]: readonly [number, number]): { x: number; y: number } {
    return { x: Math.round(x / this.#scale), y: Math.round(y / this.#scale) }
  }

  region(id: string): GraphMapRegion | undefined {
    return this.#regions[this.#numbers.get(id) ?? -1]
  }

  /** Chooses the scale for a graph that is shown anew. */
  fit({ nodes }: GraphModel): void {
    const shown = nodes.filter(({ id }) => this.#places.has(id)).length
    const ratio = this.#places.size / Math.max(1, shown)
    // In steps, so that a growing graph keeps its scale.
    this.#scale = ratio <= sparseRatio ? 1 : 2 ** (-Math.round(Math.log2(ratio)) / 2)
    this.#shown = null
  }

  /** What the map says of the nodes shown; null if it has none of them. `patch` is the last change of the model. */
  recall(model: GraphModel, patch: GraphPatch | null = null): KeptPlaces | null {
    const { positions, region } = this.#follow(model, patch)
    if (positions.every(Number.isNaN)) return null
    const { indexOf } = model
    const hub = Int32Array.from(this.#regions, ({ id }) => indexOf.get(id) ?? -1)
    return { positions, region, hub, tint: Uint8Array.from(this.#regions, ({ tint }) => tint) }
  }

  /** Looks up only what the patch changed, if the rows are those before it. */
  #follow(model: GraphModel, patch: GraphPatch | null): Shown {
    const { nodes, version } = model
    const before = this.#shown?.model === model ? this.#shown : null
    if (before?.version === version) return before
    const rows = patch && before?.version === version - 1 ? before : null
    const count = nodes.length
    this.#shown = {
      model,
      version,
      positions: rows
        ? carryOver(rows.positions, 2, patch!, Number.NaN)
        : new Float32Array(2 * count).fill(Number.NaN),
      region: rows ? carryOver(rows.region, 1, patch!, -1) : new Int32Array(count).fill(-1),
    }
    for (const node of rows ? patch!.nodes.index : nodes.keys()) {
      const place = this.#places.get(nodes[node]!.id)
      if (place) this.#show(this.#shown, node, place)
    }
    return this.#shown
  }

  #put(place: GraphMapPlace): void {
    this.#places.set(place.id, place)
    const node = this.#shown?.model.indexOf.get(place.id)
    if (this.#shown && node !== undefined) this.#show(this.#shown, node, place)
  }

  #show({ positions, region }: Shown, node: number, place: GraphMapPlace): void {
    // Rows of a version that is not followed yet.
    if (node >= region.length) return
    positions[2 * node] = place.x * this.#scale
    positions[2 * node + 1] = place.y * this.#scale
    region[node] = place.region
  }

  /**
   * Adds the nodes that the map lacks, and those that have come into a region; returns these. Then every node is put
   * where the map says, in its units, except those that a person placed. Ends early if the graph changes meanwhile.
   */
  *remember(
    model: GraphModel,
    positions: Float32Array,
    regions: Regions | null,
    isPlacedByHand: (node: number) => boolean = () => false,
  ): Steps<GraphMapPlace[]> {
    const { nodes, version } = model
    const shown = this.#follow(model, null)
    const numbers = regions ? this.#numbersOf(regions, nodes) : []
    const added: GraphMapPlace[] = []
    for (let node = 0; node < nodes.length; node++) {
      if (node % placesPerStep === placesPerStep - 1) yield
      if (model.version !== version) break
      const region = numbers[regions?.of[node] ?? -1] ?? -1
      const isKnown = !Number.isNaN(shown.positions[2 * node]!)
      if (!isKnown || (shown.region[node]! < 0 && region >= 0)) {
        const { x, y } = this.toMap([positions[2 * node]!, positions[2 * node + 1]!])
        const place = { id: nodes[node]!.id, x, y, region }
        this.#places.set(place.id, place)
        this.#show(shown, node, place)
        added.push(place)
      } else if (isSamePlace(shown.positions, positions, node) || isPlacedByHand(node)) continue
      positions.set(shown.positions.subarray(2 * node, 2 * node + 2), 2 * node)
    }
    return added
  }

  /** Everything on the map, for a picture before its nodes have arrived. */
  sketch(): SketchedMap {
    this.#scale = 1
    const places = [...this.#places.values()]
    const positions = new Float32Array(2 * places.length)
    for (const [i, { x, y }] of places.entries()) positions.set([x, y], 2 * i)
    return {
      positions,
      region: Int32Array.from(places, ({ region }) => region),
      tint: Uint8Array.from(this.#regions, ({ tint }) => tint),
    }
  }

  /** The region that a node is in, by key; -1 if it is in none. */
  regionOf(id: string): number {
    return this.#places.get(id)?.region ?? -1
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

const isSamePlace = (a: Float32Array, b: Float32Array, node: number): boolean =>
  a[2 * node] === b[2 * node] && a[2 * node + 1] === b[2 * node + 1]
