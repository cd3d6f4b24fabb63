import type { GraphPatch } from '../protocol.ts'

type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array | Int32Array

/**
 * A graph by index, in typed arrays. The view and both workers each hold a copy and apply the same
 * patches, so the cost of a change depends on its size and not on that of the graph.
 */
export class GraphNumbers {
  radius = new Float32Array(0)
  /** The number of a node's type, which determines its colour. */
  color = new Uint16Array(0)
  source = new Uint32Array(0)
  target = new Uint32Array(0)
  edgeType = new Uint16Array(0)
  #degree = new Uint32Array(0)
  // An edge e has two halves, 2e at its source and 2e + 1 at its target; the halves at a node form a
  // linked list that ends in -1.
  #firstHalf = new Int32Array(0)
  #nextHalf = new Int32Array(0)

  get nodeCount(): number {
    return this.radius.length
  }

  get edgeCount(): number {
    return this.source.length
  }

  /** A self-loop counts once. */
  degree(node: number): number {
    return this.#degree[node]!
  }

  /** In no particular order; a self-loop appears once. */
  edgesAt(node: number): number[] {
    const edges: number[] = []
    for (let half = this.#firstHalf[node]!; half >= 0; half = this.#nextHalf[half]!) edges.push(half >> 1)
    return edges
  }

  otherEnd(edge: number, node: number): number {
    return this.source[edge] === node ? this.target[edge]! : this.source[edge]!
  }

  neighbours(node: number): number[] {
    return this.edgesAt(node).map((edge) => this.otherEnd(edge, node))
  }

  /** All edges between the ends of this one, in either direction. */
  parallelEdges(edge: number): number[] {
    const a = this.source[edge]!
    const b = this.target[edge]!
    const [near, far] = this.degree(a) <= this.degree(b) ? [a, b] : [b, a]
    return this.edgesAt(near).filter((other) => this.otherEnd(other, near) === far)
  }

  apply(patch: GraphPatch): void {
    for (const edge of patch.edgesGone) this.removeEdge(edge)
    for (const node of patch.nodesGone) this.removeNode(node)
    this.setNodes(patch.nodes)
    this.setEdges(patch.edges)
  }

  setNodes({ index, radius, color }: GraphPatch['nodes']): void {
    const before = this.nodeCount
    const count = lengthWith(before, index)
    this.radius = resized(this.radius, count)
    this.color = resized(this.color, count)
    this.#degree = resized(this.#degree, count)
    this.#firstHalf = resized(this.#firstHalf, count)
    this.#firstHalf.fill(-1, before)
    for (let i = 0; i < index.length; i++) {
      this.radius[index[i]!] = radius[i]!
      this.color[index[i]!] = color[i]!
    }
  }

  setEdges({ index, source, target, type }: GraphPatch['edges']): void {
    const before = this.edgeCount
    const count = lengthWith(before, index)
    this.source = resized(this.source, count)
    this.target = resized(this.target, count)
    this.edgeType = resized(this.edgeType, count)
    this.#nextHalf = resized(this.#nextHalf, 2 * count)
    for (let i = 0; i < index.length; i++) {
      const edge = index[i]!
      this.edgeType[edge] = type[i]!
      if (edge < before) continue
      this.source[edge] = source[i]!
      this.target[edge] = target[i]!
      this.#link(2 * edge, source[i]!)
      if (source[i] !== target[i]) this.#link(2 * edge + 1, target[i]!)
    }
  }

  #link(half: number, node: number): void {
    this.#nextHalf[half] = this.#firstHalf[node]!
    this.#firstHalf[node] = half
    this.#degree[node]!++
  }

  /** The last edge moves into its slot. */
  removeEdge(edge: number): void {
    const last = this.edgeCount - 1
    const [a, b] = [this.source[edge]!, this.target[edge]!]
    this.#unlink(2 * edge, a)
    if (a !== b) this.#unlink(2 * edge + 1, b)
    if (edge !== last) this.#moveEdge(last, edge)
    this.source = this.source.subarray(0, last)
    this.target = this.target.subarray(0, last)
    this.edgeType = this.edgeType.subarray(0, last)
    this.#nextHalf = this.#nextHalf.subarray(0, 2 * last)
  }

  #unlink(half: number, node: number): void {
    this.#relink(node, half, this.#nextHalf[half]!)
    this.#degree[node]!--
  }

  #moveEdge(from: number, to: number): void {
    const source = this.source[from]!
    const target = this.target[from]!
    this.source[to] = source
    this.target[to] = target
    this.edgeType[to] = this.edgeType[from]!
    this.#nextHalf[2 * to] = this.#nextHalf[2 * from]!
    this.#nextHalf[2 * to + 1] = this.#nextHalf[2 * from + 1]!
    this.#relink(source, 2 * from, 2 * to)
    if (source !== target) this.#relink(target, 2 * from + 1, 2 * to + 1)
  }

  /** Redirects the link to a half edge in its node's list to another half edge. */
  #relink(node: number, half: number, to: number): void {
    if (this.#firstHalf[node] === half) {
      this.#firstHalf[node] = to
      return
    }
    let before = this.#firstHalf[node]!
    while (this.#nextHalf[before] !== half) before = this.#nextHalf[before]!
    this.#nextHalf[before] = to
  }

  /** The last node moves into its slot; the node must have no edges left. */
  removeNode(node: number): void {
    const last = this.nodeCount - 1
    if (node !== last) this.#moveNode(last, node)
    this.radius = this.radius.subarray(0, last)
    this.color = this.color.subarray(0, last)
    this.#degree = this.#degree.subarray(0, last)
    this.#firstHalf = this.#firstHalf.subarray(0, last)
  }

  #moveNode(from: number, to: number): void {
    for (const edge of this.edgesAt(from)) {
      if (this.source[edge] === from) this.source[edge] = to
      if (this.target[edge] === from) this.target[edge] = to
    }
    this.radius[to] = this.radius[from]!
    this.color[to] = this.color[from]!
    this.#degree[to] = this.#degree[from]!
    this.#firstHalf[to] = this.#firstHalf[from]!
  }
}

/**
 * Applies a patch to other per-node data, `width` numbers per node, with `fresh` for new nodes. Always
 * a copy.
 */
export function carryOver<T extends Numbers>(values: T, width: number, patch: GraphPatch, fresh: number): T {
  let count = values.length / width
  const length = lengthWith(count - patch.nodesGone.length, patch.nodes.index) * width
  const copy = resized(values, Math.max(values.length, length), true)
  for (const node of patch.nodesGone) {
    count--
    copy.copyWithin(node * width, count * width, (count + 1) * width)
  }
  copy.fill(fresh, count * width)
  return resized(copy, length, true)
}

/** The number of rows after writing these: indices past the end are new rows. */
function lengthWith(length: number, index: Uint32Array): number {
  let most = length
  for (const row of index) if (row >= most) most = row + 1
  return most
}

/**
 * Extends the values with zeros or truncates them; returns the same array if the length is unchanged,
 * unless `anew`.
 */
function resized<T extends Numbers>(values: T, length: number, anew = false): T {
  if (length === values.length && !anew) return values
  const Kind = values.constructor as new (length: number) => T
  const copy = new Kind(length)
  copy.set(values.subarray(0, length))
  return copy
}
