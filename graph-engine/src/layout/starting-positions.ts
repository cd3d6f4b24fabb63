import { adjacencyOf } from '../model/adjacency.ts'
import { seededRandom } from '../model/random.ts'
import { type Clusters, findClusters } from './clusters.ts'
import { ForceLayout } from './force-layout.ts'

/** From this size on, a flat start takes many seconds to untangle. */
export const multilevelNodesMin = 800
const goldenAngle = Math.PI * (3 - Math.sqrt(5))
const coarseTicks = 150
const chargePerNode = -720
const spread = 25

/** A sunflower spiral, identical for every graph of this size. */
export function spiralPositions(nodeCount: number): Float32Array {
  const positions = new Float32Array(2 * nodeCount)
  for (let i = 0; i < nodeCount; i++) {
    const reach = 20 * Math.sqrt(0.5 + i)
    positions[2 * i] = Math.cos(i * goldenAngle) * reach
    positions[2 * i + 1] = Math.sin(i * goldenAngle) * reach
  }
  return positions
}

/**
 * Lays out the graph of the clusters, then scatters each cluster's nodes around its position: an almost
 * finished picture at a twentieth of the cost.
 */
export function multilevelPositions(
  nodeCount: number,
  source: Uint32Array,
  target: Uint32Array,
  aspect: number,
): Float32Array {
  const clusters = findClusters(adjacencyOf(nodeCount, source, target))
  const places = placeClusters(clusters, source, target, aspect)
  const random = seededRandom(7)
  const positions = new Float32Array(2 * nodeCount)
  for (let i = 0; i < nodeCount; i++) {
    const cluster = clusters.clusterOf[i]!
    const reach = Math.sqrt(random() * clusters.sizes[cluster]!) * spread
    const angle = random() * 2 * Math.PI
    positions[2 * i] = places[2 * cluster]! + Math.cos(angle) * reach
    positions[2 * i + 1] = places[2 * cluster + 1]! + Math.sin(angle) * reach
  }
  return positions
}

function placeClusters(
  clusters: Clusters,
  source: Uint32Array,
  target: Uint32Array,
  aspect: number,
): Float32Array {
  const { count, clusterOf } = clusters
  const pairs = new Set<number>()
  for (let i = 0; i < source.length; i++) {
    const a = clusterOf[source[i]!]!
    const b = clusterOf[target[i]!]!
    if (a !== b) pairs.add(a < b ? a * count + b : b * count + a)
  }
  const coarseSource = new Uint32Array(pairs.size)
  const coarseTarget = new Uint32Array(pairs.size)
  let next = 0
  for (const pair of pairs) {
    coarseSource[next] = Math.floor(pair / count)
    coarseTarget[next++] = pair % count
  }
  const meanSize = clusterOf.length / count
  const reach = Math.sqrt(meanSize) * 45
  const random = seededRandom(5)
  const width = reach * Math.sqrt(count) * 2
  const layout = new ForceLayout({
    nodeCount: count,
    source: coarseSource,
    target: coarseTarget,
    positions: Float32Array.from({ length: 2 * count }, () => (random() - 0.5) * width),
    ticks: coarseTicks,
    linkDistance: reach * 2,
    charge: chargePerNode * meanSize,
    aspect,
  })
  for (let i = 0; i < coarseTicks; i++) layout.tick()
  const places = layout.copyPositions()
  drawInOutliers(places)
  return places
}

/** Nodes beyond the 97th percentile of distance from the centre are pulled in. */
function drawInOutliers(places: Float32Array): void {
  const count = places.length / 2
  let x = 0
  let y = 0
  for (let i = 0; i < count; i++) {
    x += places[2 * i]! / count
    y += places[2 * i + 1]! / count
  }
  const distance = Float64Array.from({ length: count }, (_, i) =>
    Math.hypot(places[2 * i]! - x, places[2 * i + 1]! - y),
  )
  const limit = distance.slice().sort()[Math.floor(count * 0.97)]! * 1.05
  for (let i = 0; i < count; i++) {
    if (distance[i]! <= limit) continue
    // Not all onto one circle: nodes farther out stay slightly farther out.
    const factor = (limit * (1 + 0.1 * Math.log(distance[i]! / limit))) / distance[i]!
    places[2 * i] = x + (places[2 * i]! - x) * factor
    places[2 * i + 1] = y + (places[2 * i + 1]! - y) * factor
  }
}
