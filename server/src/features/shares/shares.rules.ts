import type { Share } from '@loci/contract/shares'

/** The heading of a page that was given none, from the names of its entities in order. */
export function titleOf(kind: Share['kind'], given: string, names: readonly string[]): string {
  if (given !== '') return given
  if (kind === 'date') return 'The graph'
  const [first = 'Shared view'] = names
  return kind === 'path' ? `${first} to ${names.at(-1) ?? first}` : first
}

export type Point = { x: number; y: number }

/**
 * Where to draw each entity: at its place on the map, scaled to fit; those that have none, in a row below. Paths are
 * drawn in one line.
 */
export function toPoints(
  places: readonly (Point | undefined)[],
  box: { width: number; height: number; margin: number },
): Point[] {
  const known = places.filter((place) => place !== undefined)
  const [left, right] = rangeOf(known.map(({ x }) => x))
  const [top, bottom] = rangeOf(known.map(({ y }) => y))
  const lost = places.length - known.length
  const foot = lost > 0 && known.length > 0 ? 70 : 0
  const { width, height, margin } = box
  const scale = Math.min(
    (width - 2 * margin) / Math.max(1, right - left),
    (height - 2 * margin - foot) / Math.max(1, bottom - top),
    3,
  )
  let next = 0
  return places.map((place) => {
    if (place === undefined) return besides(next++, lost, box, known.length > 0)
    return {
      x: width / 2 + (place.x - (left + right) / 2) * scale,
      y: (height - foot) / 2 + (place.y - (top + bottom) / 2) * scale,
    }
  })
}

function rangeOf(values: readonly number[]): [number, number] {
  return values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)]
}

type Box = { width: number; height: number; margin: number }

function besides(index: number, count: number, { width, height, margin }: Box, below: boolean): Point {
  if (below) return { x: margin + ((index + 0.5) * (width - 2 * margin)) / count, y: height - margin }
  const angle = (index / count) * 2 * Math.PI - Math.PI / 2
  const reach = Math.min(width, height) / 2 - margin
  const distance = count === 1 ? 0 : reach
  return { x: width / 2 + Math.cos(angle) * distance, y: height / 2 + Math.sin(angle) * distance }
}

/** Most entities of a path beside one another. */
const stationsInRow = 4

/** Places of a path's entities: to the right, and back to the left in the next row. */
export function alongPath(count: number): Point[] {
  const rows = Math.ceil(count / stationsInRow)
  const columns = Math.max(1, Math.ceil(count / rows))
  return Array.from({ length: count }, (_, i) => {
    const [row, step] = [Math.floor(i / columns), i % columns]
    return { x: (row % 2 === 0 ? step : columns - 1 - step) * 200, y: row * 150 }
  })
}

/** Colours of types by slot, light and dark, as the graph of the web app has them. */
export const slotColours = [
  ['#3a62e2', '#3878f5'],
  ['#006e50', '#0cdea9'],
  ['#b97b5a', '#dda172'],
  ['#4e1cce', '#ac98fe'],
  ['#ce030a', '#ff4602'],
  ['#418896', '#58b3c3'],
  ['#0691e6', '#aad6fe'],
  ['#f3349a', '#e5607e'],
  ['#910182', '#cb42c1'],
  ['#5a6d2d', '#a9d210'],
  ['#252c48', '#6d6f8f'],
  ['#a08b03', '#fde48a'],
  ['#5e2e1d', '#9c664b'],
  ['#12413d', '#119072'],
  ['#6c5167', '#af969c'],
  ['#757575', '#eae5ef'],
] as const

/** From 0; types beyond 16 repeat the colours. */
export const slotIndex = (colour: number) => (Math.max(1, colour) - 1) % slotColours.length
