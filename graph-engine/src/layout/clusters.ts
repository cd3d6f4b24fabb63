import type { Adjacency } from '../model/adjacency.ts'

const rounds = 6

export type Clusters = { count: number; clusterOf: Uint32Array; sizes: Uint32Array }

/**
 * Groups nodes by label propagation: each node takes the most common label among its neighbours, up to
 * a size limit.
 */
export function findClusters(adjacency: Adjacency): Clusters {
  const nodeCount = adjacency.offset.length - 1
  const sizeMax = Math.max(30, Math.sqrt(nodeCount) * 3)
  const label = Uint32Array.from({ length: nodeCount }, (_, i) => i)
  const size = new Uint32Array(nodeCount).fill(1)
  // Votes per label, cleared by visiting the same neighbours again: a Map here would be five times
  // slower.
  const votes = new Uint32Array(nodeCount)
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < nodeCount; i++) {
      const from = adjacency.offset[i]!
      const to = adjacency.offset[i + 1]!
      for (let k = from; k < to; k++) votes[label[adjacency.neighbour[k]!]!]!++
      const own = label[i]!
      let best = own
      let bestVotes = votes[own]!
      for (let k = from; k < to; k++) {
        const candidate = label[adjacency.neighbour[k]!]!
        if (votes[candidate]! > bestVotes && size[candidate]! < sizeMax) {
          best = candidate
          bestVotes = votes[candidate]!
        }
      }
      for (let k = from; k < to; k++) votes[label[adjacency.neighbour[k]!]!] = 0
      if (best === own) continue
      size[own]!--
      size[best]!++
      label[i] = best
    }
  }
  return numberClusters(label)
}

function numberClusters(label: Uint32Array): Clusters {
  const numberOf = new Int32Array(label.length).fill(-1)
  const clusterOf = new Uint32Array(label.length)
  const sizes: number[] = []
  for (let i = 0; i < label.length; i++) {
    const l = label[i]!
    if (numberOf[l]! < 0) {
      numberOf[l] = sizes.length
      sizes.push(0)
    }
    clusterOf[i] = numberOf[l]!
    sizes[numberOf[l]!]!++
  }
  return { count: sizes.length, clusterOf, sizes: Uint32Array.from(sizes) }
}
