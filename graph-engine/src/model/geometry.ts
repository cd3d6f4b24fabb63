import type { GraphNumbers } from './graph-numbers.ts'

const radiusMin = 8
const radiusMax = 20
const fullRadiusAtMin = 12

/** Observation count at which a node reaches its maximum size: more than 98 % of the nodes have. */
export function fullRadiusAt(observationsCounts: ArrayLike<number>): number {
  const counts = Uint32Array.from(observationsCounts).sort()
  return Math.max(fullRadiusAtMin, counts[Math.floor(counts.length * 0.98)] ?? 0)
}

/** Radius in graph units: 8 without observations, 20 from `fullAt` on. */
export function nodeRadius(observationsCount: number, fullAt: number): number {
  return radiusMin + (radiusMax - radiusMin) * Math.min(1, Math.max(0, observationsCount) / fullAt) ** 0.7
}

/**
 * Radius on screen. Nodes scale more slowly than distances: they neither vanish in a large graph nor
 * fill a close view.
 */
export function screenRadius(radius: number, scale: number): number {
  return Math.max(0.75, radius * scale ** 0.8)
}

/** Geometry of one edge in screen pixels. Callers reuse it, so nothing is allocated per edge. */
export type EdgeShape = {
  kind: 'line' | 'curve' | 'loop'
  x1: number
  y1: number
  /** Control point; the second one is only for loops. */
  cx1: number
  cy1: number
  cx2: number
  cy2: number
  x2: number
  y2: number
  /** The point where the arrow's tip touches the target, and its direction. */
  tipX: number
  tipY: number
  dirX: number
  dirY: number
  midX: number
  midY: number
}

export function emptyEdgeShape(): EdgeShape {
  const zero = { x1: 0, y1: 0, cx1: 0, cy1: 0, cx2: 0, cy2: 0, x2: 0, y2: 0 }
  return { kind: 'line', ...zero, tipX: 0, tipY: 0, dirX: 1, dirY: 0, midX: 0, midY: 0 }
}

/** Distance between parallel edges in graph units. */
export const parallelGap = 22
const tipGap = 2

/**
 * Computes the shape of an edge between two different nodes.
 * @param bend offset of the midpoint to the left of the straight line, in pixels
 */
export function shapeEdge(
  out: EdgeShape,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  targetRadius: number,
  bend: number,
): void {
  out.kind = bend === 0 ? 'line' : 'curve'
  out.x1 = x1
  out.y1 = y1
  out.x2 = x2
  out.y2 = y2
  const dx = x2 - x1
  const dy = y2 - y1
  const length = Math.sqrt(dx * dx + dy * dy) || 1
  out.midX = (x1 + x2) / 2 + (dy / length) * bend
  out.midY = (y1 + y2) / 2 - (dx / length) * bend
  // A quadratic curve passes halfway between its chord and its control point.
  out.cx1 = out.cx2 = 2 * out.midX - (x1 + x2) / 2
  out.cy1 = out.cy2 = 2 * out.midY - (y1 + y2) / 2
  touchTarget(out, targetRadius + tipGap, length)
}

/** Finds where the curve meets a circle around the target: the position of the arrow's tip. */
function touchTarget(out: EdgeShape, distance: number, length: number): void {
  const { x1, y1, cx1, cy1, x2, y2 } = out
  let rest = Math.min(0.5, distance / length)
  if (out.kind === 'curve') {
    for (let i = 0; i < 3; i++) {
      const t = 1 - rest
      const dx = rest * rest * x1 + 2 * rest * t * cx1 + (t * t - 1) * x2
      const dy = rest * rest * y1 + 2 * rest * t * cy1 + (t * t - 1) * y2
      rest = Math.min(0.6, (rest * distance) / (Math.sqrt(dx * dx + dy * dy) || 1))
    }
  }
  const t = 1 - rest
  out.tipX = rest * rest * x1 + 2 * rest * t * cx1 + t * t * x2
  out.tipY = rest * rest * y1 + 2 * rest * t * cy1 + t * t * y2
  // The chord from slightly before the tip: the direction of the whole arrowhead, not only of its
  // point.
  const before = Math.min(1, rest + Math.min(0.2, 8 / length))
  const u = 1 - before
  const dx = out.tipX - (before * before * x1 + 2 * before * u * cx1 + u * u * x2)
  const dy = out.tipY - (before * before * y1 + 2 * before * u * cy1 + u * u * y2)
  const chord = Math.sqrt(dx * dx + dy * dy) || 1
  out.dirX = dx / chord
  out.dirY = dy / chord
}

/** Computes the shape of the `number`th self-loop (from 0) of a node, above it. */
export function shapeLoop(
  out: EdgeShape,
  x: number,
  y: number,
  radius: number,
  scale: number,
  number: number,
): void {
  const reach = radius + (34 + 20 * number) * Math.min(scale, 1.5)
  const spread = 0.55
  const from = -Math.PI / 2 - spread
  const to = -Math.PI / 2 + spread
  out.kind = 'loop'
  out.x1 = x + Math.cos(from) * radius
  out.y1 = y + Math.sin(from) * radius
  out.cx1 = x + Math.cos(from) * reach
  out.cy1 = y + Math.sin(from) * reach
  out.cx2 = x + Math.cos(to) * reach
  out.cy2 = y + Math.sin(to) * reach
  out.x2 = x + Math.cos(to) * radius
  out.y2 = y + Math.sin(to) * radius
  out.dirX = -Math.cos(to)
  out.dirY = -Math.sin(to)
  out.tipX = out.x2 - out.dirX * tipGap
  out.tipY = out.y2 - out.dirY * tipGap
  out.midX = x
  out.midY = (out.y1 + 3 * out.cy1 + 3 * out.cy2 + out.y2) / 8
}

/** The point at `t`, 0 to 1, of an edge that is not a loop. */
export function pointAlong({ x1, y1, cx1, cy1, x2, y2 }: EdgeShape, t: number): [x: number, y: number] {
  const u = 1 - t
  return [u * u * x1 + 2 * u * t * cx1 + t * t * x2, u * u * y1 + 2 * u * t * cy1 + t * t * y2]
}

/**
 * Separates parallel edges: the bend of an edge in graph units, to its own left; for a self-loop, its
 * number.
 */
export function bendOf(numbers: GraphNumbers, edge: number): number {
  const parallel = numbers.parallelEdges(edge)
  if (parallel.length === 1) return 0
  const rank = parallel.filter((other) => other < edge).length
  const source = numbers.source[edge]!
  const target = numbers.target[edge]!
  if (source === target) return rank
  return (rank - (parallel.length - 1) / 2) * parallelGap * (source < target ? 1 : -1)
}
