import type { GraphModel } from '../model/graph-model.ts'
import { isInside } from '../model/lasso.ts'
import type { Outlines, Regions, Sketch } from '../protocol.ts'
import type { GraphRegion } from '../types.ts'
import type { MapBook } from './map-book.ts'

/** For single nodes; and if some of them form groups too small to be a region. */
const unlinkedName = 'Not linked'
const looseName = 'Ungrouped'

/** The regions of the graph and their given names. */
export class NamedRegions {
  readonly #model: GraphModel
  readonly #book: Pick<MapBook, 'regionId' | 'regionOf'>
  regions: Regions | null = null
  outlines: Outlines | null = null
  #names: Readonly<Record<string, string>> = {}

  constructor(model: GraphModel, book: Pick<MapBook, 'regionId' | 'regionOf'>) {
    this.#model = model
    this.#book = book
  }

  setNames(names: Readonly<Record<string, string>>): void {
    this.#names = names
  }

  /** Indexed by region number. */
  list(): GraphRegion[] {
    const { regions } = this
    if (!regions) return []
    const given = this.#givenNames(regions)
    return Array.from(regions.size, (size, number) => {
      const loose = number === regions.loose
      const hub = this.#model.nodes[regions.hub[number]!]
      const name = loose ? undefined : given.get(number)
      const ownName = loose ? this.#looseName(regions) : (hub?.name ?? '')
      const id = this.#book.regionId(regions.key[number]!) ?? hub?.id ?? ''
      return { id, name: name ?? ownName, named: name !== undefined, loose, size }
    })
  }

  /** The names of regions whose nodes have not arrived: the given ones, else those of the nodes that represent them. */
  sketched({ regions }: Sketch, hubs: Readonly<Record<string, string>>): string[] {
    const given = new Map<number, string>()
    for (const [id, name] of Object.entries(this.#names)) given.set(this.#book.regionOf(id), name)
    return Array.from(regions.key, (key) => given.get(key) ?? hubs[this.#book.regionId(key) ?? ''] ?? '')
  }

  /** The region that a node belongs to. */
  of(node: number): GraphRegion | null {
    const number = this.regions?.of[node] ?? -1
    return this.list()[number] ?? null
  }

  /** The region whose outline encloses a point. */
  at(x: number, y: number): GraphRegion | null {
    const { outlines } = this
    if (!outlines) return null
    const loop = outlines.region.findIndex((_, i) =>
      isInside(outlines.points.subarray(2 * outlines.start[i]!, 2 * outlines.start[i + 1]!), x, y),
    )
    return loop < 0 ? null : (this.list()[outlines.region[loop]!] ?? null)
  }

  nodesOf(id: string): number[] {
    const number = this.list().findIndex((region) => region.id === id)
    const { regions } = this
    if (!regions || number < 0) return []
    return [...regions.of.keys()].filter((node) => regions.of[node] === number)
  }

  #looseName({ of, loose }: Regions): string {
    const { numbers, nodes } = this.#model
    const isLinked = nodes.some((_, node) => of[node] === loose && numbers.degree(node) > 0)
    return isLinked ? looseName : unlinkedName
  }

  /** A name applies to the region that contains its node; if there are several, the first wins. */
  #givenNames({ of }: Regions): Map<number, string> {
    const given = new Map<number, string>()
    for (const [id, name] of Object.entries(this.#names)) {
      const region = of[this.#model.indexOf.get(id) ?? -1]
      if (region !== undefined && name !== '' && !given.has(region)) given.set(region, name)
    }
    return given
  }
}
