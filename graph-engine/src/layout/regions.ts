import type { Adjacency } from '../model/adjacency.ts'
import type { Regions } from '../protocol.ts'
import { extendCommunities, findCommunities } from './louvain.ts'

const regionNodesMin = 4
/** The tint of a region that has none yet, and of the nodes outside all regions. */
export const noTint = 255

/**
 * Regions known from before. `of` is the row of each node, -1 for those outside all of them; `key`, `hub` and `tint` are
 * of the rows. `hub` is -1 if the graph lacks that node.
 */
export type KeptRegions = { of: Int32Array; key: Int32Array; hub: Int32Array; tint: Uint8Array }

/**
 * Divides a graph into regions, the largest first. Communities too small for a region join the one they
 * have most links to; nodes without any such link form the last region. Null if no community is large
 * enough.
 * @param kept regions found before: their nodes stay in them, and they stay regions however small they have become
 */
export function findRegions(
  adjacency: Adjacency,
  radius: Float32Array,
  kept: KeptRegions | null = null,
): Regions | null {
  const labels = kept ? extendCommunities(adjacency, kept.of) : findCommunities(adjacency)
  const keptCount = kept ? kept.of.reduce((most, row) => Math.max(most, row), -1) + 1 : 0
  const loose = joinSmall(adjacency, labels, keptCount)
  return rowsOf(adjacency, radius, labels, loose, kept)
}

function commonest(nodes: Uint32Array, labels: Int32Array): number {
  const votes = new Map<number, number>()
  let best = -1
  for (const node of nodes) {
    const label = labels[node]!
    if (label < 0) continue
    const count = (votes.get(label) ?? 0) + 1
    votes.set(label, count)
    if (best < 0 || count > votes.get(best)!) best = label
  }
  return best
}

/** Changes the labels from `keptCount` on; returns the label of nodes linked to no region. */
function joinSmall({ offset, neighbour }: Adjacency, labels: Int32Array, keptCount: number): number {
  const loose = labels.reduce((most, label) => Math.max(most, label), 0) + 1
  const members = membersOf(labels)
  const isRegion = (label: number) => label < keptCount || (members.get(label)?.length ?? 0) >= regionNodesMin
  for (const [label, nodes] of members) {
    if (isRegion(label)) continue
    const around = nodes.flatMap((node) => [...neighbour.subarray(offset[node]!, offset[node + 1]!)])
    const large = around.filter((node) => labels[node] !== label && isRegion(labels[node]!))
    const joined = commonest(Uint32Array.from(large), labels)
    const to = joined >= 0 ? joined : loose
    for (const node of nodes) labels[node] = to
    const group = members.get(to)
    if (group && to !== loose) group.push(...nodes)
  }
  return loose
}

function membersOf(labels: Int32Array): Map<number, number[]> {
  const members = new Map<number, number[]>()
  for (let node = 0; node < labels.length; node++) {
    const group = members.get(labels[node]!)
    if (group) group.push(node)
    else members.set(labels[node]!, [node])
  }
  return members
}

function rowsOf(
  adjacency: Adjacency,
  radius: Float32Array,
  labels: Int32Array,
  loose: number,
  kept: KeptRegions | null,
): Regions | null {
  const groups = [...membersOf(labels)].sort(
    ([a, nodes], [b, others]) =>
      Number(a === loose) - Number(b === loose) || others.length - nodes.length || nodes[0]! - others[0]!,
  )
  if (groups.every(([label]) => label === loose)) return null
  const of = new Int32Array(labels.length)
  for (const [row, [, nodes]] of groups.entries()) for (const node of nodes) of[node] = row
  let nextKey = kept ? kept.key.reduce((most, key) => Math.max(most, key), -1) + 1 : 0
  /** A region keeps its representative, after which it is named, for as long as that is in it. */
  const hubIn = (label: number, row: number, nodes: readonly number[]) => {
    const hub = label === loose ? -1 : (kept?.hub[label] ?? -1)
    return hub >= 0 && of[hub] === row ? hub : hubOf(adjacency, radius, of, row, nodes)
  }
  return {
    of,
    key: Int32Array.from(groups, ([label]) => (label === loose ? -1 : (kept?.key[label] ?? nextKey++))),
    hub: Uint32Array.from(groups, ([label, nodes], row) => hubIn(label, row, nodes)),
    size: Uint32Array.from(groups, ([, nodes]) => nodes.length),
    tint: Uint8Array.from(groups, ([label]) => (label === loose ? noTint : (kept?.tint[label] ?? noTint))),
    loose: groups.findIndex(([label]) => label === loose),
  }
}

/** The node with the most links inside its region; on a tie, the one with the most observations. */
function hubOf(
  { offset, neighbour }: Adjacency,
  radius: Float32Array,
  of: Int32Array,
  row: number,
  nodes: readonly number[],
): number {
  let hub = nodes[0]!
  let most = -1
  for (const node of nodes) {
    let links = 0
    for (let k = offset[node]!; k < offset[node + 1]!; k++) if (of[neighbour[k]!] === row) links++
    // The radius grows with the observations, here by less than one link.
    const rank = links + radius[node]! / 1000
    if (rank > most) {
      most = rank
      hub = node
    }
  }
  return hub
}

const tints = 8

/** Gives each region without a tint the tint least used nearby, the largest region first. */
export function chooseTints({ tint, size, loose }: Regions, centres: Float64Array): void {
  for (let row = 0; row < size.length; row++) {
    if (tint[row] !== noTint || row === loose) continue
    const use = new Float64Array(tints)
    for (let other = 0; other < size.length; other++) {
      if (tint[other] === noTint || other === row || other === loose) continue
      const dx = centres[2 * other]! - centres[2 * row]!
      const dy = centres[2 * other + 1]! - centres[2 * row + 1]!
      use[tint[other]!]! += 1 / (dx * dx + dy * dy + 1)
    }
    tint[row] = use.indexOf(Math.min(...use))
  }
}
