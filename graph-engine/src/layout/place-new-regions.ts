import type { Regions } from '../protocol.ts'
import { discReach, sunflower } from './region-forces.ts'

type Links = { source: Uint32Array; target: Uint32Array }
type Disc = { x: number; y: number; reach: number }

/** Smaller ones are placed node by node, beside their neighbours. */
const nodesMin = 6
const gapInLengths = 0.43
const goldenAngle = Math.PI * (3 - Math.sqrt(5))
const spotsMax = 4_000

/**
 * Places regions of which no node has a place yet, as discs on free ground near what they are linked to, the largest
 * first. Nothing that has a place moves.
 */
export function placeNewRegions(
  positions: Float32Array,
  regions: Regions,
  links: Links,
  length: number,
): void {
  const { of, size, loose } = regions
  const discs = discsOf(positions, regions, length)
  const isNew = (row: number) => discs[row] === undefined && size[row]! >= nodesMin && row !== loose
  const rows = [...size.keys()].filter(isNew)
  if (rows.length === 0) return
  const degree = new Uint32Array(of.length)
  for (const ends of [links.source, links.target]) for (const node of ends) degree[node]!++
  const members = Map.groupBy(of.keys(), (node) => of[node]!)
  for (const row of rows) {
    const reach = discReach(size[row]!, length)
    const wanted = wantedPlace(row, of, discs, links)
    const disc = { ...freeSpot(wanted, reach + gapInLengths * length, discs), reach }
    discs[row] = disc
    const nodes = members.get(row)!.toSorted((a, b) => degree[b]! - degree[a]! || a - b)
    for (const [rank, node] of nodes.entries()) sunflower(positions, node, rank, nodes.length, disc)
  }
}

/** The regions that have a place; undefined for the others. */
function discsOf(
  positions: Float32Array,
  { of, size, loose }: Regions,
  length: number,
): (Disc | undefined)[] {
  const discs = Array.from(size, (): Disc & { count: number } => ({ x: 0, y: 0, reach: 0, count: 0 }))
  const placed = (node: number) => !Number.isNaN(positions[2 * node]!) && of[node] !== loose
  for (let node = 0; node < of.length; node++) {
    const disc = discs[of[node]!]!
    if (!placed(node)) continue
    disc.x += positions[2 * node]!
    disc.y += positions[2 * node + 1]!
    disc.count++
  }
  for (const disc of discs) {
    disc.x /= disc.count
    disc.y /= disc.count
  }
  for (let node = 0; node < of.length; node++) {
    const disc = discs[of[node]!]!
    if (!placed(node)) continue
    const distance = Math.hypot(positions[2 * node]! - disc.x, positions[2 * node + 1]! - disc.y)
    disc.reach += (distance * distance) / disc.count
  }
  return discs.map(({ x, y, reach, count }) =>
    count === 0 ? undefined : { x, y, reach: 1.5 * Math.sqrt(reach) + 0.35 * length },
  )
}

/** The middle of the regions that a new one is linked to, by the number of links; else the middle of all. */
function wantedPlace(row: number, of: Int32Array, discs: readonly (Disc | undefined)[], links: Links) {
  const sum = { x: 0, y: 0, count: 0 }
  const add = (disc: Disc | undefined) => {
    if (!disc) return
    sum.x += disc.x
    sum.y += disc.y
    sum.count++
  }
  for (let i = 0; i < links.source.length; i++) {
    const [a, b] = [of[links.source[i]!]!, of[links.target[i]!]!]
    if (a !== b && (a === row || b === row)) add(discs[a === row ? b : a])
  }
  if (sum.count === 0) for (const disc of discs) add(disc)
  return sum.count === 0 ? { x: 0, y: 0 } : { x: sum.x / sum.count, y: sum.y / sum.count }
}

/** The first place on a spiral around the one wanted where a disc overlaps no other. */
function freeSpot(
  wanted: { x: number; y: number },
  reach: number,
  discs: readonly (Disc | undefined)[],
): { x: number; y: number } {
  const taken = discs.filter((disc) => disc !== undefined)
  let spot = wanted
  for (let i = 0; i < spotsMax; i++) {
    const distance = 0.3 * reach * Math.sqrt(i)
    const angle = i * goldenAngle
    spot = { x: wanted.x + Math.cos(angle) * distance, y: wanted.y + Math.sin(angle) * distance }
    if (taken.every((disc) => Math.hypot(disc.x - spot.x, disc.y - spot.y) >= disc.reach + reach)) break
  }
  return spot
}
