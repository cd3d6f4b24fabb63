/** Positions of a selected node's neighbours on a ring around it. */

export const ringNodesMax = 24
const singleRingNodesMax = 10
const radiiAlone = 0.29
const radiiInner = 0.22
const radiiOuter = 0.31

/**
 * Offsets from the centre, as x0, y0, x1, y1, ..., evenly spaced in the order of the nodes' own angles.
 * @param angles the current angle of each node, seen from the centre
 */
export function ringOffsets(angles: readonly number[], width: number, height: number): Float32Array {
  const count = angles.length
  const order = [...angles.keys()].sort((a, b) => angles[a]! - angles[b]! || a - b)
  const step = (2 * Math.PI) / count
  const turn = meanAngle(order.map((node, slot) => angles[node]! - slot * step))
  const offsets = new Float32Array(2 * count)
  for (const [slot, node] of order.entries()) {
    const inner = count > singleRingNodesMax && slot % 2 === 1
    const reach = count <= singleRingNodesMax ? radiiAlone : inner ? radiiInner : radiiOuter
    offsets[2 * node] = Math.cos(turn + slot * step) * reach * width
    offsets[2 * node + 1] = Math.sin(turn + slot * step) * reach * height
  }
  return offsets
}

function meanAngle(angles: readonly number[]): number {
  const x = angles.reduce((sum, angle) => sum + Math.cos(angle), 0)
  const y = angles.reduce((sum, angle) => sum + Math.sin(angle), 0)
  return Math.atan2(y, x)
}
