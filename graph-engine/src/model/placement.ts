import type { GraphNumbers } from './graph-numbers.ts'

const goldenAngle = Math.PI * (3 - Math.sqrt(5))
const besideDistance = 55

/**
 * Places nodes whose positions are NaN beside a placed neighbour, hop by hop; nodes not connected to
 * any placed node go to the rim.
 */
export function placeNewNodes(positions: Float32Array, numbers: GraphNumbers): void {
  const nodeCount = positions.length / 2
  const isNew = (node: number) => Number.isNaN(positions[2 * node]!)
  const newcomers = Array.from({ length: nodeCount }, (_, node) => node).filter(isNew)
  if (newcomers.length === 0) return
  const outward = centreOf(positions)
  const parents = new Set<number>()
  for (const node of newcomers) {
    for (const other of numbers.neighbours(node)) if (!isNew(other)) parents.add(other)
  }
  const queue = [...parents].sort((a, b) => a - b)
  for (let head = 0; head < queue.length; head++) {
    const parent = queue[head]!
    let children = 0
    for (const node of numbers.neighbours(parent)) {
      if (!isNew(node)) continue
      placeBeside(positions, node, parent, children++, outward)
      queue.push(node)
    }
  }

  let loose = 0
  for (const node of newcomers) {
    if (!isNew(node)) continue
    const reach = outward.reach + besideDistance + 12 * Math.sqrt(loose)
    positions[2 * node] = outward.x + Math.cos(loose * goldenAngle) * reach
    positions[2 * node + 1] = outward.y + Math.sin(loose * goldenAngle) * reach
    loose++
  }
}

type Centre = { x: number; y: number; reach: number }

/** New nodes fan out away from the centre of the picture, where there is room. */
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

function centreOf(all: Float32Array): Centre {
  const positions = all.filter((value) => !Number.isNaN(value))
  const count = positions.length / 2
  if (count === 0) return { x: 0, y: 0, reach: 0 }
  let x = 0
  let y = 0
  for (let i = 0; i < count; i++) {
    x += positions[2 * i]! / count
    y += positions[2 * i + 1]! / count
  }
  let reach = 0
  for (let i = 0; i < count; i++)
    reach = Math.max(reach, Math.hypot(positions[2 * i]! - x, positions[2 * i + 1]! - y))
  return { x, y, reach }
}
