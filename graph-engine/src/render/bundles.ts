import type { GraphNumbers } from '../model/graph-numbers.ts'
import type { Regions } from '../protocol.ts'

const arcsPerRegion = 3
/** With more arcs than this, the strongest of each region only, and all fainter. */
export const arcsMax = 90

/** The relations between two regions. */
export type Bundle = { a: number; b: number; count: number }

/** The strongest connections of each region, for the far view. */
export function bundlesOf({ regions, data }: { regions: Regions | null; data: GraphNumbers }): Bundle[] {
  if (!regions) return []
  const { of, loose } = regions
  const counts = new Map<number, number>()
  const rows = regions.size.length
  for (let edge = 0; edge < data.edgeCount; edge++) {
    const a = of[data.source[edge]!] ?? -1
    const b = of[data.target[edge]!] ?? -1
    if (a === b || a < 0 || b < 0 || a === loose || b === loose) continue
    const key = a < b ? a * rows + b : b * rows + a
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const bundles = [...counts].map(([key, count]) => ({ a: Math.floor(key / rows), b: key % rows, count }))
  bundles.sort((one, other) => other.count - one.count || one.a - other.a || one.b - other.b)
  const some = strongest(bundles, rows, arcsPerRegion)
  return some.length <= arcsMax ? some : strongest(bundles, rows, 1)
}

function strongest(bundles: readonly Bundle[], rows: number, perRegion: number): Bundle[] {
  const taken = new Uint8Array(rows)
  return bundles.filter(({ a, b }) => {
    if (taken[a]! >= perRegion && taken[b]! >= perRegion) return false
    taken[a]!++
    taken[b]!++
    return true
  })
}
