import type { GraphPatch } from '../protocol.ts'

/**
 * Nodes in ascending order of rank, after a patch.
 * @param touched nodes whose rank may have changed, the others keep their order; null: all
 */
export function reranked(
  order: Uint32Array,
  { nodesGone }: Pick<GraphPatch, 'nodesGone'>,
  nodeCount: number,
  touched: ReadonlySet<number> | null,
  rankOf: (node: number) => number,
): Uint32Array {
  if (!touched) {
    const ranks = Float64Array.from({ length: nodeCount }, (_, node) => rankOf(node))
    return Uint32Array.from(ranks.keys()).sort((a, b) => ranks[a]! - ranks[b]! || a - b)
  }
  const compare = (a: number, b: number) => rankOf(a) - rankOf(b) || a - b
  const kept = withoutGone(order, nodesGone).filter((node) => !touched.has(node))
  return merged(kept, Uint32Array.from(touched).sort(compare), compare)
}

/** On removal the last node takes over the freed number. */
function withoutGone(order: Uint32Array, nodesGone: Uint32Array): Uint32Array {
  if (nodesGone.length === 0) return order
  const numbers = Int32Array.from(order)
  let last = order.length
  for (const node of nodesGone) {
    last--
    numbers[numbers.indexOf(node)] = -1
    if (node !== last) numbers[numbers.indexOf(last)] = node
  }
  return Uint32Array.from(numbers.filter((node) => node >= 0))
}

function merged(a: Uint32Array, b: Uint32Array, compare: (a: number, b: number) => number): Uint32Array {
  const result = new Uint32Array(a.length + b.length)
  let taken = 0
  for (let i = 0; i < b.length; i++) {
    const place = firstAfter(a, b[i]!, compare)
    result.set(a.subarray(taken, place), taken + i)
    result[place + i] = b[i]!
    taken = place
  }
  result.set(a.subarray(taken), taken + b.length)
  return result
}

function firstAfter(sorted: Uint32Array, node: number, compare: (a: number, b: number) => number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (compare(sorted[middle]!, node) <= 0) from = middle + 1
    else to = middle
  }
  return from
}
