import type { ViewTransform } from '../protocol.ts'

export const zoomLevelMin = 0.1
export const zoomLevelMax = 4
/** Up to this many nodes, 1x is actual size; above, 1x is the scale at which everything fits. */
export const realSizeNodesMax = 500

/** At this scale names and relation types are legible; 4x must reach it even in a large graph. */
const readableScale = 1.6
/** Upper bound so that three nodes on a wide screen are not enlarged too much. */
const fitScaleMax = 1.25
const fitPadding = 36
/** How far the outline of a region reaches beyond its nodes, in graph units. */
export const outlineReach = 40

/** The scale (pixels per graph unit) at 1x and at 4x. Levels between them are geometric. */
export type ZoomRange = { one: number; most: number }

export function zoomRange(nodeCount: number, fitScale: number): ZoomRange {
  if (nodeCount <= realSizeNodesMax) return { one: 1, most: zoomLevelMax }
  return { one: fitScale, most: Math.max(zoomLevelMax * fitScale, readableScale) }
}

export function levelOfScale(scale: number, range: ZoomRange): number {
  const ratio = scale / range.one
  const level = ratio <= 1 ? ratio : ratio ** (Math.log(zoomLevelMax) / Math.log(range.most / range.one))
  return Math.min(zoomLevelMax, Math.max(zoomLevelMin, level))
}

export type Bounds = { left: number; top: number; right: number; bottom: number }

/** The box around the visible nodes. If there are many, the outermost 0.3 % on each side are ignored. */
export function boundsOf(positions: Float32Array, visible: Uint8Array | null): Bounds | null {
  const nodeCount = positions.length / 2
  const shown = visible ? visible.reduce((sum, value) => sum + value, 0) : nodeCount
  if (shown === 0) return null
  const step = Math.max(1, Math.floor(shown / 4000))
  const xs = new Float32Array(Math.ceil(shown / step))
  const ys = new Float32Array(xs.length)
  let seen = 0
  for (let i = 0; i < nodeCount; i++) {
    if (visible && visible[i] === 0) continue
    if (seen % step === 0) {
      xs[seen / step] = positions[2 * i]!
      ys[seen / step] = positions[2 * i + 1]!
    }
    seen++
  }
  xs.sort()
  ys.sort()
  const cut = shown > 2000 ? Math.floor(xs.length * 0.003) : 0
  const last = xs.length - 1 - cut
  return { left: xs[cut]!, right: xs[last]!, top: ys[cut]!, bottom: ys[last]! }
}

/** The view in which a box just fits, with room for the nodes and names at its rim. */
export function fitView(
  bounds: Bounds | null,
  width: number,
  height: number,
  reach = outlineReach,
): ViewTransform {
  if (!bounds) return { k: 1, x: width / 2, y: height / 2 }
  const padding = Math.min(fitPadding, width / 8, height / 8)
  const room = 2 * reach
  const k = Math.min(
    fitScaleMax,
    (width - 2 * padding) / (bounds.right - bounds.left + room),
    (height - 2 * padding) / (bounds.bottom - bounds.top + room),
  )
  return centredView(k, (bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2, width, height)
}

/**
 * On a tall screen a wide graph is shown this much larger than it fits, as long as it fills that share of the height and is
 * not legible as a whole.
 */
const largerMax = 1.7
const heightShareMax = 0.62
const legibleScale = 0.6

/** The view to begin with: the whole graph, or its middle where the whole would be a strip across a tall screen. */
export function openingView(
  bounds: Bounds | null,
  width: number,
  height: number,
  reach = outlineReach,
): ViewTransform {
  const whole = fitView(bounds, width, height, reach)
  if (!bounds) return whole
  const filling = (heightShareMax * height) / (bounds.bottom - bounds.top + 2 * reach)
  const k = Math.min(fitScaleMax, Math.max(whole.k, Math.min(largerMax * whole.k, filling, legibleScale)))
  return centredView(k, (bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2, width, height)
}

export function centredView(k: number, x: number, y: number, width: number, height: number): ViewTransform {
  return { k, x: width / 2 - x * k, y: height / 2 - y * k }
}
