import type { RenderData } from '../protocol.ts'
import type { GraphData, GraphNode } from '../types.ts'
import { type Adjacency, adjacencyOf, degreeOf } from './adjacency.ts'
import { colorOfType } from './colors.ts'
import { nodeRadius } from './geometry.ts'
import { cutLabel } from './label.ts'

/** The data as the engine works with it: nodes and edges by index, numbers in typed arrays. */
export class GraphModel {
  readonly nodes: readonly GraphNode[]
  readonly indexOf: ReadonlyMap<string, number>
  readonly source: Uint32Array
  readonly target: Uint32Array
  readonly radius: Float32Array
  /** Types of nodes; `typeOf` gives each node's place in it. */
  readonly types: readonly string[]
  readonly typeOf: Uint16Array
  readonly edgeTypes: readonly string[]
  readonly edgeTypeOf: Uint16Array
  #adjacency: Adjacency | undefined

  constructor(data: GraphData) {
    const indexOf = new Map<string, number>()
    const nodes: GraphNode[] = []
    for (const node of data.nodes) {
      if (indexOf.has(node.id)) continue
      indexOf.set(node.id, nodes.length)
      nodes.push(node)
    }
    this.nodes = nodes
    this.indexOf = indexOf
    this.radius = Float32Array.from(nodes, (node) => nodeRadius(node.observationsCount))
    const nodeTypes = new Numbering()
    this.typeOf = Uint16Array.from(nodes, (node) => nodeTypes.numberOf(node.type))
    this.types = nodeTypes.names

    const edgeTypes = new Numbering()
    const source = new Uint32Array(data.edges.length)
    const target = new Uint32Array(data.edges.length)
    const edgeTypeOf = new Uint16Array(data.edges.length)
    let count = 0
    for (const edge of data.edges) {
      const from = indexOf.get(edge.source)
      const to = indexOf.get(edge.target)
      if (from === undefined || to === undefined) continue
      source[count] = from
      target[count] = to
      edgeTypeOf[count++] = edgeTypes.numberOf(edge.type)
    }
    this.source = source.slice(0, count)
    this.target = target.slice(0, count)
    this.edgeTypeOf = edgeTypeOf.slice(0, count)
    this.edgeTypes = edgeTypes.names
  }

  get adjacency(): Adjacency {
    this.#adjacency ??= adjacencyOf(this.nodes.length, this.source, this.target)
    return this.#adjacency
  }

  relationCount(node: number): number {
    return degreeOf(this.adjacency, node)
  }

  neighbours(node: number): Uint32Array {
    const { offset, neighbour } = this.adjacency
    return neighbour.subarray(offset[node]!, offset[node + 1]!)
  }

  palette(colors: Readonly<Record<string, string>>): string[] {
    return this.types.map((type) => (Object.hasOwn(colors, type) ? colors[type]! : colorOfType(type)))
  }

  /** 1 for every node whose type is not hidden; null if all are shown. */
  visibility(hiddenTypes: ReadonlySet<string>): Uint8Array | null {
    if (!this.types.some((type) => hiddenTypes.has(type))) return null
    return Uint8Array.from(this.typeOf, (type) => (hiddenTypes.has(this.types[type]!) ? 0 : 1))
  }

  renderData(version: number, colors: Readonly<Record<string, string>>): RenderData {
    return {
      version,
      nodeCount: this.nodes.length,
      source: this.source,
      target: this.target,
      radius: this.radius,
      color: this.typeOf,
      palette: this.palette(colors),
      labels: this.nodes.map((node) => cutLabel(node.label, node.type)),
      edgeType: this.edgeTypeOf,
      edgeTypes: [...this.edgeTypes],
    }
  }

  /** Places of this model's nodes taken over from another's by id; NaN for new ones. */
  positionsFrom(before: GraphModel, positions: Float32Array): Float32Array {
    const result = new Float32Array(2 * this.nodes.length).fill(Number.NaN)
    for (let i = 0; i < this.nodes.length; i++) {
      const old = before.indexOf.get(this.nodes[i]!.id)
      if (old === undefined) continue
      result[2 * i] = positions[2 * old]!
      result[2 * i + 1] = positions[2 * old + 1]!
    }
    return result
  }

  /** Marks of another model's nodes, for this model's nodes by id; 0 for new ones. */
  takenOver(before: GraphModel, marks: Uint8Array): Uint8Array {
    return Uint8Array.from(this.nodes, ({ id }) => {
      const old = before.indexOf.get(id)
      return old === undefined ? 0 : marks[old]!
    })
  }
}

class Numbering {
  readonly names: string[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      // A Uint16 holds the number; types beyond that share the last one.
      number = Math.min(this.names.length, 65_535)
      this.#numbers.set(name, number)
      if (number === this.names.length) this.names.push(name)
    }
    return number
  }
}
