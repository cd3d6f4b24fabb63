import type { GraphPatch } from '../protocol.ts'
import type { GraphChange, GraphData, GraphEdge, GraphNode } from '../types.ts'
import { fullRadiusAt, nodeRadius } from './geometry.ts'
import { GraphNumbers } from './graph-numbers.ts'
import { wordsOf } from './label.ts'
import { slotsOf, styleOfSlot, type TypeStyle } from './palette.ts'

/** The data as the engine uses it: nodes and edges by index, with the arrays that the workers copy. */
export class GraphModel {
  readonly numbers = new GraphNumbers()
  readonly #nodes: GraphNode[] = []
  readonly #edges: GraphEdge[] = []
  readonly #indexOf = new Map<string, number>()
  readonly #types = new Numbering()
  readonly #edgeTypes = new Numbering()
  #version = 0
  /** Observation count for the largest radius, and the number of nodes when it was computed. */
  #scale = { fullAt: 12, nodes: 0 }

  /** Increases by one with every change that adds or removes nodes or edges. */
  get version(): number {
    return this.#version
  }

  get nodes(): readonly GraphNode[] {
    return this.#nodes
  }

  get edges(): readonly GraphEdge[] {
    return this.#edges
  }

  get types(): readonly string[] {
    return this.#types.names
  }

  get indexOf(): ReadonlyMap<string, number> {
    return this.#indexOf
  }

  /** The change that turns this graph into `data`. */
  changeTo(data: GraphData): GraphChange {
    if (this.#nodes.length === 0) return data
    const nodes = [...data.nodes]
    const edges = [...data.edges]
    const nodeIds = new Set(nodes.map(({ id }) => id))
    const edgeIds = new Set(edges.map(({ id }) => id))
    return {
      nodes: nodes.filter((node) => this.#nodes[this.#indexOf.get(node.id) ?? -1] !== node),
      edges: edges.filter((edge) => this.#edges[this.#edgeIndex(edge)] !== edge),
      nodesGone: this.#nodes.map(({ id }) => id).filter((id) => !nodeIds.has(id)),
      edgesGone: this.#edges.filter(({ id }) => !edgeIds.has(id)),
    }
  }

  /** Applies a change; the returned patch does the same to the copies of `numbers`. */
  apply(change: GraphChange): GraphPatch {
    const { nodeCount, edgeCount } = this.numbers
    const gone = this.#remove(change)
    const nodes = this.#setNodes([...(change.nodes ?? [])])
    const edges = this.#setEdges(change.edges ?? [])
    const isLess = gone.nodesGone.length > 0 || gone.edgesGone.length > 0
    const isMore = this.numbers.nodeCount > nodeCount || this.numbers.edgeCount > edgeCount
    if (isLess || isMore) this.#version++
    const edgeTypes = this.#edgeTypes.names.map(wordsOf)
    return { version: this.#version, ...gone, nodes, edges, edgeTypes }
  }

  /** An empty patch. */
  emptyPatch(): GraphPatch {
    return this.apply({})
  }

  palette(slots: Readonly<Record<string, number>>, scheme: 'light' | 'dark'): TypeStyle[] {
    return slotsOf(this.#types.names, slots).map((slot) => styleOfSlot(slot, scheme))
  }

  edgeTypeName(edge: number): string {
    return this.#edgeTypes.names[this.numbers.edgeType[edge]!]!
  }

  #remove(change: GraphChange): Pick<GraphPatch, 'nodesGone' | 'edgesGone'> {
    const edgesGone: number[] = []
    const nodesGone: number[] = []
    const removeEdge = (edge: number) => {
      edgesGone.push(edge)
      this.numbers.removeEdge(edge)
      takeOut(this.#edges, edge)
    }
    for (const edge of change.edgesGone ?? []) {
      const index = this.#edgeIndex(edge)
      if (index >= 0) removeEdge(index)
    }
    const ids = [...new Set(change.nodesGone)].filter((id) => this.#indexOf.has(id))
    for (const id of ids) {
      // In descending order, so that a row moved into a freed slot is never one still to be removed.
      const edges = this.numbers.edgesAt(this.#indexOf.get(id)!).sort((a, b) => b - a)
      for (const edge of edges) removeEdge(edge)
    }
    for (const id of ids) nodesGone.push(this.#removeNode(id))
    return { edgesGone: Uint32Array.from(edgesGone), nodesGone: Uint32Array.from(nodesGone) }
  }

  #removeNode(id: string): number {
    const index = this.#indexOf.get(id)!
    this.numbers.removeNode(index)
    takeOut(this.#nodes, index)
    this.#indexOf.delete(id)
    const moved = this.#nodes[index]
    if (moved) this.#indexOf.set(moved.id, index)
    return index
  }

  /** Sizes are relative to the graph: if it has changed much, all nodes are sized again. Returns whether they are. */
  #rescale(nodes: readonly GraphNode[]): boolean {
    const { nodes: before, fullAt } = this.#scale
    const after = this.#nodes.length + nodes.length
    if (after < 2 * before && after > before / 2) return false
    const counts = new Uint32Array(after)
    for (const [place, { observationsCount }] of this.#nodes.entries()) counts[place] = observationsCount
    let count = this.#nodes.length
    for (const { id, observationsCount } of nodes)
      counts[this.#indexOf.get(id) ?? count++] = observationsCount
    this.#scale = { fullAt: fullRadiusAt(counts.subarray(0, count)), nodes: count }
    return this.#scale.fullAt !== fullAt
  }

  #setNodes(nodes: readonly GraphNode[]): GraphPatch['nodes'] {
    const index: number[] = []
    const radius: number[] = []
    const color: number[] = []
    const labels: string[] = []
    const add = (place: number, { name, type, observationsCount }: GraphNode) => {
      index.push(place)
      radius.push(nodeRadius(observationsCount, this.#scale.fullAt))
      color.push(this.#types.numberOf(type))
      labels.push(name)
    }
    if (this.#rescale(nodes)) for (const [place, node] of this.#nodes.entries()) add(place, node)
    for (const node of nodes) {
      const place = this.#indexOf.get(node.id) ?? this.#nodes.length
      if (place === this.#nodes.length) this.#indexOf.set(node.id, place)
      this.#nodes[place] = node
      add(place, node)
    }
    const rows = {
      index: new Uint32Array(index),
      radius: new Float32Array(radius),
      color: new Uint16Array(color),
      labels,
    }
    this.numbers.setNodes(rows)
    return rows
  }

  #setEdges(edges: Iterable<GraphEdge>): GraphPatch['edges'] {
    const index: number[] = []
    const source: number[] = []
    const target: number[] = []
    const type: number[] = []
    const areNew = this.#edges.length === 0
    for (const edge of edges) {
      const from = this.#indexOf.get(edge.fromEntityId)
      const to = this.#indexOf.get(edge.toEntityId)
      if (from === undefined || to === undefined) continue
      const known = areNew ? -1 : this.#findEdge(edge, from, to)
      const place = known < 0 ? this.#edges.length : known
      this.#edges[place] = edge
      index.push(place)
      source.push(from)
      target.push(to)
      type.push(this.#edgeTypes.numberOf(edge.relationType))
    }
    const rows = {
      index: new Uint32Array(index),
      source: new Uint32Array(source),
      target: new Uint32Array(target),
      type: new Uint16Array(type),
    }
    this.numbers.setEdges(rows)
    return rows
  }

  /** -1 for an unknown edge. */
  #edgeIndex(edge: GraphEdge): number {
    const from = this.#indexOf.get(edge.fromEntityId)
    const to = this.#indexOf.get(edge.toEntityId)
    return from === undefined || to === undefined ? -1 : this.#findEdge(edge, from, to)
  }

  /** Searches at the end with fewer edges. */
  #findEdge({ id }: GraphEdge, from: number, to: number): number {
    const end = this.numbers.degree(from) <= this.numbers.degree(to) ? from : to
    return this.numbers.edgesAt(end).find((edge) => this.#edges[edge]!.id === id) ?? -1
  }
}

/** Removes a row; the last row moves into its slot (swap-remove). */
function takeOut<T>(rows: T[], index: number): void {
  const last = rows.pop()
  if (last !== undefined && index < rows.length) rows[index] = last
}

class Numbering {
  readonly names: string[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      // The number is stored as Uint16; further types share the last one.
      number = Math.min(this.names.length, 65_535)
      this.#numbers.set(name, number)
      if (number === this.names.length) this.names.push(name)
    }
    return number
  }
}
