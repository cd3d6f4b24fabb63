import type { FloorPlan } from '../protocol.ts'

/** A room's area grows more slowly than its count; otherwise small rooms would vanish. */
const areaPower = 0.62
/** Distance between dots in the fullest room. */
const spacing = 40
/** A plan of few entities is drawn this large, so that there is room for their names. */
const areaMin = 450_000
/** With more area than this for each dot, columns are further apart than rows, so that names fit. */
const namedArea = 2_000
const cellAspectMax = 2.5
const headHeight = 46
/** A large plan is drawn small, but names never below a certain size. */
const headShareMin = 0.036
const padding = 22
const doorWidth = 44
const aspectMin = 0.5
const aspectMax = 2.2

type Graph = {
  type: Uint16Array
  radius: Float32Array
  source: Uint32Array
  target: Uint32Array
}

type Box = { x: number; y: number; width: number; height: number }

/** A room per type, the largest first, with a dot per node, the node with the most observations first. */
export function floorPlanOf(graph: Graph, aspect: number): { positions: Float32Array; plan: FloorPlan } {
  const members = new Map<number, number[]>()
  for (const [node, type] of graph.type.entries()) {
    const room = members.get(type)
    if (room) room.push(node)
    else members.set(type, [node])
  }
  const byCount = [...members].sort(([a, nodes], [b, others]) => others.length - nodes.length || a - b)
  const most = byCount[0]?.[1].length ?? 0
  const areaOf = (count: number) => most * spacing * spacing * (count / most) ** areaPower + headHeight * 200
  const least = byCount.map(([, nodes]) => areaOf(nodes.length))
  const leastTotal = least.reduce((sum, area) => sum + area, 0)
  const total = Math.max(areaMin, leastTotal)
  const areas = least.map((area) => (area * total) / leastTotal)
  const width = Math.sqrt(total * Math.min(aspectMax, Math.max(aspectMin, aspect)))
  const height = total / width
  const boxes = squarified(areas, { x: 0, y: 0, width, height })
  const head = Math.max(headHeight, headShareMin * height)
  const rooms = byCount.map(([type, nodes], i) => ({ type, ...boxes[i]!, count: nodes.length }))
  const positions = new Float32Array(2 * graph.type.length)
  for (const [i, [, nodes]] of byCount.entries()) {
    placeDots(
      positions,
      nodes.toSorted((a, b) => graph.radius[b]! - graph.radius[a]! || a - b),
      boxes[i]!,
      head,
    )
  }
  return { positions, plan: { rooms, doors: doorsOf(rooms, graph) } }
}

/** Row by row below the room's name. */
function placeDots(positions: Float32Array, nodes: readonly number[], box: Box, headWanted: number): void {
  const pad = Math.min(padding, box.width / 5, box.height / 5)
  const head = Math.min(headWanted, box.height / 2)
  const width = box.width - 2 * pad
  const height = box.height - head - pad
  const cellAspect = Math.min(cellAspectMax, Math.max(1, (width * height) / nodes.length / namedArea))
  const columns = Math.max(1, Math.round(Math.sqrt((nodes.length * width) / height / cellAspect)))
  const rows = Math.ceil(nodes.length / columns)
  const stepX = Math.min(width / columns, 5 * spacing)
  const stepY = Math.min(height / rows, 3 * spacing)
  for (const [i, node] of nodes.entries()) {
    positions[2 * node] = box.x + pad + ((i % columns) + 0.5) * stepX
    positions[2 * node + 1] = box.y + head + (Math.floor(i / columns) + 0.5) * stepY
  }
}

/** Divides a box into nearly square areas (Bruls, Huizing and van Wijk 2000). */
export function squarified(areas: readonly number[], box: Box): Box[] {
  const boxes: Box[] = []
  let rest = box
  for (let from = 0; from < areas.length; ) {
    const side = Math.min(rest.width, rest.height)
    let to = from + 1
    while (to < areas.length && worstRatio(areas, from, to + 1, side) <= worstRatio(areas, from, to, side))
      to++
    const row = areas.slice(from, to)
    const depth = row.reduce((sum, area) => sum + area, 0) / side
    let along = 0
    for (const area of row) {
      const length = area / depth
      boxes.push(
        rest.width >= rest.height
          ? { x: rest.x, y: rest.y + along, width: depth, height: length }
          : { x: rest.x + along, y: rest.y, width: length, height: depth },
      )
      along += length
    }
    rest =
      rest.width >= rest.height
        ? { ...rest, x: rest.x + depth, width: rest.width - depth }
        : { ...rest, y: rest.y + depth, height: rest.height - depth }
    from = to
  }
  return boxes
}

function worstRatio(areas: readonly number[], from: number, to: number, side: number): number {
  const row = areas.slice(from, to)
  const sum = row.reduce((total, area) => total + area, 0)
  const square = (side / sum) ** 2
  return Math.max(square * Math.max(...row), 1 / (square * Math.min(...row)))
}

/** A door in each wall between two rooms whose entities are related. */
function doorsOf(rooms: FloorPlan['rooms'], { type, source, target }: Graph): Float32Array {
  const related = new Set<string>()
  for (let i = 0; i < source.length; i++) {
    const [a, b] = [type[source[i]!]!, type[target[i]!]!]
    if (a !== b) related.add(a < b ? `${a} ${b}` : `${b} ${a}`)
  }
  const doors: number[] = []
  for (const [i, a] of rooms.entries()) {
    for (const b of rooms.slice(i + 1)) {
      if (!related.has(a.type < b.type ? `${a.type} ${b.type}` : `${b.type} ${a.type}`)) continue
      const door = doorBetween(a, b)
      if (door) doors.push(...door)
    }
  }
  return Float32Array.from(doors)
}

const touching = 0.5

/** A door in the middle of the wall that two rooms share, if it is long enough. */
function doorBetween(a: Box, b: Box): [number, number, number, number] | null {
  const top = Math.max(a.y, b.y)
  const bottom = Math.min(a.y + a.height, b.y + b.height)
  const left = Math.max(a.x, b.x)
  const right = Math.min(a.x + a.width, b.x + b.width)
  if (bottom - top > 2 * doorWidth && Math.abs(right - left) < touching) {
    const middle = (top + bottom) / 2
    return [left, middle - doorWidth / 2, left, middle + doorWidth / 2]
  }
  if (right - left > 2 * doorWidth && Math.abs(bottom - top) < touching) {
    const middle = (left + right) / 2
    return [middle - doorWidth / 2, top, middle + doorWidth / 2, top]
  }
  return null
}
