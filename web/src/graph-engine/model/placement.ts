import type { Adjacency } from './adjacency.ts'

const goldenAngle = Math.PI * (3 - Math.sqrt(5))
const besideDistance = 55

/**
 * Gives nodes without a place (NaN) one beside a neighbour that has one, ring by ring; what hangs on nothing
 * that is placed goes to the rim. Changes `positions`.
 * @param adjacencyOf only asked if there is somebody to place
 * @returns 1 for every node that had its place before
 */
export function placeNewNodes(positions: Float32Array, adjacencyOf: () => Adjacency): Uint8Array {
  const nodeCount = positions.length / 2
  const placedBefore = new Uint8Array(nodeCount)
  const waiting: number[] = []
  const queue: number[] = []
  for (let i = 0; i < nodeCount; i++) {
    if (Number.isNaN(positions[2 * i]!)) waiting.push(i)
    else {
      placedBefore[i] = 1
      queue.push(i)
    }
  }
  if (waiting.length === 0) return placedBefore

  const adjacency = adjacencyOf()
  const outward = centreOf(positions, placedBefore)
  const childrenOf = new Map<number, number>()
  for (let head = 0; head < queue.length; head++) {
    const parent = queue[head]!
    for (let k = adjacency.offset[parent]!; k < adjacency.offset[parent + 1]!; k++) {
      const node = adjacency.neighbour[k]!
      if (!Number.isNaN(positions[2 * node]!)) continue
      const number = childrenOf.get(parent) ?? 0
      childrenOf.set(parent, number + 1)
      placeBeside(positions, node, parent, number, outward)
      queue.push(node)
    }
  }

  let loose = 0
  for (const node of waiting) {
    if (!Number.isNaN(positions[2 * node]!)) continue
    const reach = outward.reach + besideDistance + 12 * Math.sqrt(loose)
    positions[2 * node] = outward.x + Math.cos(loose * goldenAngle) * reach
    positions[2 * node + 1] = outward.y + Math.sin(loose * goldenAngle) * reach
    loose++
  }
  return placedBefore
}

type Centre = { x: number; y: number; reach: number }

/** New nodes fan out away from the middle of the picture, where there is room. */
function placeBeside(
  positions: Float32Array,
  node: number,
  parent: number,
  number: number,
  centre: Centre,
): void {
  const px = positions[2 * parent]!
  const py = positions[2 * parent + 1]!
  const away = Math.atan2(py - centre.y, px - centre.x)
  const side = (number % 2 === 0 ? 1 : -1) * Math.ceil(number / 2)
  const angle = away + side * 0.55
  const distance = besideDistance + 14 * Math.floor(number / 11)
  positions[2 * node] = px + Math.cos(angle) * distance
  positions[2 * node + 1] = py + Math.sin(angle) * distance
}

function centreOf(positions: Float32Array, counts: Uint8Array): Centre {
  let x = 0
  let y = 0
  let count = 0
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0) continue
    x += positions[2 * i]!
    y += positions[2 * i + 1]!
    count++
  }
  if (count === 0) return { x: 0, y: 0, reach: 0 }
  x /= count
  y /= count
  let reach = 0
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 1) reach = Math.max(reach, Math.hypot(positions[2 * i]! - x, positions[2 * i + 1]! - y))
  }
  return { x, y, reach }
}
