import type { Regions, Sketch, SketchedMap } from '../protocol.ts'
import { outlinesOf } from './outlines.ts'
import { centresOf } from './region-forces.ts'
import { noTint } from './regions.ts'

/** The regions of a map, the largest first, and their outlines; null if it has none. */
export function sketchOf({ positions, region, tint }: SketchedMap): Sketch | null {
  const sizes = new Uint32Array(tint.length + 1)
  for (const key of region) sizes[key < 0 ? tint.length : key]!++
  const keys = [...tint.keys()].filter((key) => sizes[key]! > 0)
  if (keys.length === 0) return null
  keys.sort((a, b) => sizes[b]! - sizes[a]! || a - b)
  const loose = sizes[tint.length]! > 0 ? keys.push(-1) - 1 : -1
  const rows = new Int32Array(tint.length + 1)
  for (const [row, key] of keys.entries()) rows[key < 0 ? tint.length : key] = row
  const regions: Regions = {
    of: region.map((key) => rows[key < 0 ? tint.length : key]!),
    key: Int32Array.from(keys),
    hub: new Uint32Array(keys.length),
    size: Uint32Array.from(keys, (key) => sizes[key < 0 ? tint.length : key]!),
    tint: Uint8Array.from(keys, (key) => (key < 0 ? noTint : tint[key]!)),
    loose,
  }
  const outlines = outlinesOf(positions, regions)
  const centres = centresOf(regions, positions)
  return { regions: { ...regions, of: new Int32Array(0) }, outlines, centres }
}
