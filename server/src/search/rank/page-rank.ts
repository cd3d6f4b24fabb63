/** An undirected edge between two nodes. */
export type Edge = readonly [number, number]

const damping = 0.85
const rounds = 20

/**
 * Personalised PageRank (Haveliwala 2002): how often a random walk visits each node if, at each step, it returns to the
 * seeds, in proportion to their weights, with probability 0.15.
 */
export function rankFromSeeds(
  seeds: ReadonlyMap<number, number>,
  edges: readonly Edge[],
): Map<number, number> {
  const neighbours = new Map<number, number[]>()
  for (const [a, b] of edges) {
    append(neighbours, a, b)
    append(neighbours, b, a)
  }
  const total = [...seeds.values()].reduce((sum, weight) => sum + weight, 0) || 1
  let ranks = new Map([...seeds].map(([node, weight]) => [node, weight / total]))
  for (let round = 0; round < rounds; round += 1) {
    const next = new Map<number, number>()
    let returning = 0
    for (const [node, rank] of ranks) {
      const targets = neighbours.get(node)
      returning += targets === undefined ? rank : rank * (1 - damping)
      for (const target of targets ?? []) {
        next.set(target, (next.get(target) ?? 0) + (rank * damping) / targets!.length)
      }
    }
    for (const [node, weight] of seeds) next.set(node, (next.get(node) ?? 0) + (returning * weight) / total)
    ranks = next
  }
  return scaleReached(ranks, seeds)
}

/**
 * Scales ranks to 0..1, excluding seeds (they rank high only because walks restart there). Nodes reached about equally
 * are damped towards 0: if everything is connected to everything, nothing is near.
 */
function scaleReached(ranks: ReadonlyMap<number, number>, seeds: ReadonlyMap<number, number>) {
  const reached = [...ranks].filter(([node]) => !seeds.has(node))
  const greatest = reached.reduce((max, [, rank]) => Math.max(max, rank), Number.MIN_VALUE)
  const count = Math.max(1, reached.length)
  const mean = reached.reduce((sum, [, rank]) => sum + rank, 0) / count
  const common = mean * (1 - 1 / Math.sqrt(count))
  return new Map(reached.map(([node, rank]) => [node, Math.max(0, rank - common) / greatest]))
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
