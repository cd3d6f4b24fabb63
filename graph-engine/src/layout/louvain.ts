import type { Adjacency } from '../model/adjacency.ts'
import { seededRandom } from '../model/random.ts'

/** A level ends when less than this share of its nodes moved. */
const movedShareMin = 0.002
const passesMax = 24

type Level = {
  count: number
  offset: Uint32Array
  neighbour: Uint32Array
  weight: Float64Array
  /** Twice the internal weight of what each node represents. */
  inner: Float64Array
}

/** Communities by Louvain's method (Blondel et al. 2008) at resolution 1, in a deterministic order. */
export function findCommunities(adjacency: Adjacency): Int32Array {
  const level = levelOf(adjacency)
  return raise(level, new Uint8Array(level.count))
}

/**
 * Communities of a graph of which some nodes belong to one already: these stay there, and the others join one of them
 * or form communities of their own.
 * @param known the communities of these nodes, -1 for the others; new communities are numbered from the next number on
 */
export function extendCommunities(adjacency: Adjacency, known: Int32Array): Int32Array {
  const community = known.slice()
  let next = known.reduce((most, own) => Math.max(most, own), -1) + 1
  const knownCount = next
  for (let node = 0; node < community.length; node++) if (community[node]! < 0) community[node] = next++
  const labels = community.slice()
  const count = renumber(community)
  const labelOf = new Int32Array(count)
  for (let node = 0; node < community.length; node++) labelOf[community[node]!] = labels[node]!
  const fixed = Uint8Array.from(labelOf, (label) => Number(label < knownCount))
  const raised = raise(aggregate(levelOf(adjacency), community, count), fixed)
  // A community that holds a known one has its number.
  const named = new Map<number, number>()
  for (const [own, label] of labelOf.entries()) if (label < knownCount) named.set(raised[own]!, label)
  next = knownCount
  for (const own of raised) if (!named.has(own)) named.set(own, next++)
  return community.map((own) => named.get(raised[own]!)!)
}

/** Merges the nodes of a level into communities, level by level; `fixed` ones are joined by others only. */
function raise(first: Level, fixed: Uint8Array): Int32Array {
  const random = seededRandom(11)
  const communityOf = Int32Array.from({ length: first.count }, (_, node) => node)
  let level = first
  let stays = fixed
  for (;;) {
    const community = Int32Array.from({ length: level.count }, (_, node) => node)
    if (!moveNodes(level, community, stays, random)) return communityOf
    const count = renumber(community)
    const staysNext = new Uint8Array(count)
    for (let node = 0; node < level.count; node++) if (stays[node] === 1) staysNext[community[node]!] = 1
    for (let node = 0; node < communityOf.length; node++) communityOf[node] = community[communityOf[node]!]!
    if (count === level.count) return communityOf
    level = aggregate(level, community, count)
    stays = staysNext
  }
}

/** Newman's modularity of a partition into communities. */
export function modularity(adjacency: Adjacency, community: Int32Array): number {
  const count = adjacency.offset.length - 1
  const total = adjacency.neighbour.length
  const degrees = new Map<number, number>()
  let inside = 0
  for (let node = 0; node < count; node++) {
    const own = community[node]!
    const degree = adjacency.offset[node + 1]! - adjacency.offset[node]!
    degrees.set(own, (degrees.get(own) ?? 0) + degree)
    for (let k = adjacency.offset[node]!; k < adjacency.offset[node + 1]!; k++) {
      if (community[adjacency.neighbour[k]!] === own) inside++
    }
  }
  let expected = 0
  for (const degree of degrees.values()) expected += (degree / total) ** 2
  return total === 0 ? 0 : inside / total - expected
}

function levelOf({ offset, neighbour }: Adjacency): Level {
  const count = offset.length - 1
  const weight = new Float64Array(neighbour.length).fill(1)
  return { count, offset, neighbour, weight, inner: new Float64Array(count) }
}

/** Moves each node to the neighbouring community that fits best; returns whether any node moved. */
function moveNodes(level: Level, community: Int32Array, fixed: Uint8Array, random: () => number): boolean {
  const { count, offset, neighbour, weight, inner } = level
  const degree = inner.slice()
  for (let node = 0; node < count; node++) {
    for (let k = offset[node]!; k < offset[node + 1]!; k++) degree[node]! += weight[k]!
  }
  const total = degree.reduce((sum, value) => sum + value, 0)
  if (total === 0) return false
  const sum = new Float64Array(community.reduce((most, own) => Math.max(most, own), count - 1) + 1)
  for (let node = 0; node < count; node++) sum[community[node]!]! += degree[node]!
  const links = new Float64Array(sum.length)
  const order = shuffled(count, random)
  // A node whose neighbours have all stayed since it was looked at stays too.
  const stale = new Uint8Array(count).fill(1)
  let hasMoved = false
  for (let pass = 0; pass < passesMax; pass++) {
    let moved = 0
    for (const node of order) {
      if (fixed[node] === 1 || stale[node] === 0) continue
      stale[node] = 0
      const own = community[node]!
      for (let k = offset[node]!; k < offset[node + 1]!; k++) {
        if (neighbour[k] !== node) links[community[neighbour[k]!]!]! += weight[k]!
      }
      sum[own]! -= degree[node]!
      const expected = degree[node]! / total
      let best = own
      let bestGain = links[own]! - sum[own]! * expected + 1e-9
      for (let k = offset[node]!; k < offset[node + 1]!; k++) {
        const candidate = community[neighbour[k]!]!
        const gain = links[candidate]! - sum[candidate]! * expected
        if (candidate !== own && gain > bestGain) {
          best = candidate
          bestGain = gain
        }
      }
      for (let k = offset[node]!; k < offset[node + 1]!; k++) links[community[neighbour[k]!]!] = 0
      sum[best]! += degree[node]!
      if (best === own) continue
      community[node] = best
      moved++
      for (let k = offset[node]!; k < offset[node + 1]!; k++) stale[neighbour[k]!] = 1
    }
    if (moved > 0) hasMoved = true
    if (moved < count * movedShareMin || moved === 0) break
  }
  return hasMoved
}

function shuffled(count: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const other = order[i]!
    order[i] = order[j]!
    order[j] = other
  }
  return order
}

/** Renumbers the communities from 0; returns how many there are. */
function renumber(community: Int32Array): number {
  const numberOf = new Int32Array(community.length).fill(-1)
  let count = 0
  for (let node = 0; node < community.length; node++) {
    const own = community[node]!
    if (numberOf[own]! < 0) numberOf[own] = count++
    community[node] = numberOf[own]!
  }
  return count
}

/** The graph of the communities; links inside a community become its own weight. */
function aggregate(level: Level, community: Int32Array, count: number): Level {
  const inner = new Float64Array(count)
  const members: number[][] = Array.from({ length: count }, () => [])
  for (let node = 0; node < level.count; node++) {
    members[community[node]!]!.push(node)
    inner[community[node]!]! += level.inner[node]!
  }
  const links = new Float64Array(count)
  const offset = new Uint32Array(count + 1)
  const neighbour: number[] = []
  const weight: number[] = []
  for (let own = 0; own < count; own++) {
    const touched: number[] = []
    for (const node of members[own]!) {
      for (let k = level.offset[node]!; k < level.offset[node + 1]!; k++) {
        const other = community[level.neighbour[k]!]!
        if (other === own) inner[own]! += level.weight[k]!
        else if (links[other] === 0) touched.push(other)
        if (other !== own) links[other]! += level.weight[k]!
      }
    }
    for (const other of touched) {
      neighbour.push(other)
      weight.push(links[other]!)
      links[other] = 0
    }
    offset[own + 1] = neighbour.length
  }
  return { count, offset, neighbour: Uint32Array.from(neighbour), weight: Float64Array.from(weight), inner }
}
