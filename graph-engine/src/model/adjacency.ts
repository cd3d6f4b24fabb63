/** For each node, its edges and the nodes at their other ends, one array each. */
export type Adjacency = {
  /** The entries of node i are `offset[i]` up to, but not including, `offset[i + 1]`. */
  offset: Uint32Array
  neighbour: Uint32Array
  edge: Uint32Array
}

/** A self-loop appears once. */
export function adjacencyOf(nodeCount: number, source: Uint32Array, target: Uint32Array): Adjacency {
  const offset = new Uint32Array(nodeCount + 1)
  for (let i = 0; i < source.length; i++) {
    const a = source[i]!
    const b = target[i]!
    offset[a + 1]!++
    if (a !== b) offset[b + 1]!++
  }
  for (let i = 0; i < nodeCount; i++) offset[i + 1]! += offset[i]!
  const neighbour = new Uint32Array(offset[nodeCount]!)
  const edge = new Uint32Array(offset[nodeCount]!)
  const next = offset.slice()
  for (let i = 0; i < source.length; i++) {
    const a = source[i]!
    const b = target[i]!
    neighbour[next[a]!] = b
    edge[next[a]!++] = i
    if (a === b) continue
    neighbour[next[b]!] = a
    edge[next[b]!++] = i
  }
  return { offset, neighbour, edge }
}

/** The size of each node's connected component. */
export function componentSizes(nodeCount: number, source: Uint32Array, target: Uint32Array): Uint32Array {
  const parent = Uint32Array.from({ length: nodeCount }, (_, i) => i)
  const rootOf = (node: number): number => {
    let root = node
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!
      root = parent[root]!
    }
    return root
  }
  for (let i = 0; i < source.length; i++) parent[rootOf(source[i]!)] = rootOf(target[i]!)
  const sizes = new Uint32Array(nodeCount)
  for (let i = 0; i < nodeCount; i++) sizes[rootOf(i)]!++
  return sizes.map((_, i) => sizes[rootOf(i)]!)
}
