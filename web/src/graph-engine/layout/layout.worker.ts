/** Moves the nodes. Sends positions as often as they can be drawn, and once more when all rest. */
import { adjacencyOf } from '../model/adjacency.ts'
import { carryOver, GraphNumbers } from '../model/graph-numbers.ts'
import { placeNewNodes } from '../model/placement.ts'
import type { KeptPlaces, LayoutReply, LayoutRequest, Regions, WorkerScope } from '../protocol.ts'
import { floorPlanOf } from './floor-plan.ts'
import { type ForceInput, ForceLayout } from './force-layout.ts'
import { outlinesOf } from './outlines.ts'
import { centresOf, linkLengthFor, RegionForces, regionLinks, startingPlaces } from './region-forces.ts'
import { chooseTints, findRegions, type KeptRegions } from './regions.ts'
import { multilevelNodesMin, multilevelPositions, spiralPositions } from './starting-positions.ts'

const scope = self as unknown as WorkerScope<LayoutRequest, LayoutReply>

const frameMs = 16
/** A small graph untangles unseen and then settles in view: the tangle at the start is no sight. */
const unseenMsMax = 350
const unseenAlpha = 0.09
const ticksPerFrame = 3
/** So warm, and for so long, newcomers look for their places among nodes that rest. */
const additionAlpha = 0.5
const additionTicks = 80
/** Also a still picture of a large graph must not be waited for longer than this. */
const stillMsMax = 2000
/** A graph of which less than this share is known from an earlier visit is laid out anew. */
const keptShareMin = 0.5
const smallNodesMax = 800

type Change = Extract<LayoutRequest, { kind: 'change' }>

const numbers = new GraphNumbers()
let layout: ForceLayout | undefined
let regions: Regions | null = null
let version = 0
let still = false
let moving = false
let sentAt = 0

// A message to oneself comes at once; a timer would be slowed down to 4 ms.
const channel = new MessageChannel()
channel.port1.onmessage = step

scope.onmessage = ({ data }) => {
  if (data.kind === 'change') change(data)
  else if (data.kind === 'pin') layout?.pin(data.node, data.x, data.y, data.reheat)
  else if (data.kind === 'drop') layout?.cool()
  else if (data.kind === 'pins') layout?.hold(data.pins)
  if (layout && !layout.resting) wake()
}

function change(request: Change): void {
  const { patch, positions, layout: wanted } = request
  numbers.apply(patch)
  const isNewData = patch.version !== version
  // No more than sizes have changed, which the layout shares.
  if (!isNewData && patch.nodes.index.length + patch.edges.index.length > 0) return
  if (isNewData && regions) regions = { ...regions, of: carryOver(regions.of, 1, patch, -1) }
  version = patch.version
  still = request.still
  sentAt = performance.now()
  if (request.hold) return
  if (wanted === 'plan') plan(request)
  else if (positions) addTo(positions, request)
  else start(request)
}

function plan({ aspect }: Change): void {
  const { color, radius, source, target } = numbers
  const result = floorPlanOf({ type: color, radius, source, target }, aspect)
  layout = undefined
  scope.postMessage({ kind: 'plan', version, plan: result.plan })
  scope.postMessage({ kind: 'positions', version, positions: result.positions, done: true })
}

/** What is still untangling goes on doing so; what had come to rest stays where it is. */
function addTo(positions: Float32Array, { patch, newcomers, aspect, pins, regions: wanted }: Change): void {
  const before = layout
  const goesOn = before !== undefined && before.alpha > additionAlpha / 10
  const frozen = goesOn
    ? carryOver(before.pinned, 1, patch, 0)
    : new Uint8Array(numbers.nodeCount).fill(1, 0, numbers.nodeCount - newcomers)
  const isFrozen = frozen.includes(1)
  divide(wanted, regions)
  if (regions) chooseTints(regions, centresOf(regions, positions))
  layout = new ForceLayout({
    ...graph(aspect),
    positions,
    frozen: isFrozen ? frozen : null,
    ticks: isFrozen ? additionTicks : ticksFor(numbers.nodeCount),
  })
  layout.hold(pins)
  layout.alpha = goesOn ? before.alpha : newcomers > 0 ? additionAlpha : 0
  if (layout.resting) send(true)
}

function start({ aspect, pins, kept, regions: wanted }: Change): void {
  outlined = false
  divide(wanted, kept ? { of: kept.region, tint: tintsOf(kept) } : null)
  if (kept && isMostlyKnown(kept.positions)) {
    resume(kept.positions, aspect)
    return
  }
  const { nodeCount, source, target } = numbers
  const large = nodeCount > multilevelNodesMin
  const length = linkLengthFor(nodeCount)
  const placed = regions && startingPlaces(regions, { source, target }, length, clamped(aspect))
  const positions =
    placed?.positions ??
    (large ? multilevelPositions(nodeCount, source, target, aspect) : spiralPositions(nodeCount))
  if (regions) chooseTints(regions, centresOf(regions, positions))
  layout = new ForceLayout({ ...graph(aspect, placed?.reach), positions, ticks: ticksFor(nodeCount) })
  if (placed) layout.alpha = large ? 0.5 : 0.9
  layout.hold(pins)
  if (!large) {
    const begun = performance.now()
    while (layout.alpha > unseenAlpha && performance.now() - begun < unseenMsMax) layout.tick()
  }
  if (!still) send(false)
}

/** Goes on from an earlier visit: what was there stays, what is new looks for its place. */
function resume(positions: Float32Array, aspect: number): void {
  const frozen = Uint8Array.from({ length: numbers.nodeCount }, (_, node) =>
    Number.isNaN(positions[2 * node]!) ? 0 : 1,
  )
  placeNewNodes(positions, numbers)
  if (regions) chooseTints(regions, centresOf(regions, positions))
  layout = new ForceLayout({ ...graph(aspect), positions, frozen, ticks: additionTicks })
  layout.alpha = frozen.includes(0) ? additionAlpha : 0
  send(layout.resting)
}

function isMostlyKnown(positions: Float32Array): boolean {
  let known = 0
  for (let i = 0; i < positions.length; i += 2) if (!Number.isNaN(positions[i]!)) known++
  return known > 0 && 2 * known >= keptShareMin * positions.length
}

/** A kept region is its number times 8 plus its tint. */
function tintsOf({ region }: KeptPlaces): Uint8Array {
  return Uint8Array.from(
    { length: region.reduce((most, value) => Math.max(most, value), -1) + 1 },
    (_, value) => value % 8,
  )
}

function divide(wanted: boolean, kept: KeptRegions | null): void {
  const { nodeCount, source, target, radius } = numbers
  regions = wanted && nodeCount > 0 ? findRegions(adjacencyOf(nodeCount, source, target), radius, kept) : null
}

function graph(aspect: number, reach?: Float64Array): Omit<ForceInput, 'positions'> {
  const { nodeCount, source, target, radius } = numbers
  const common = { nodeCount, source, target, radius, aspect }
  if (!regions) return common
  const length = linkLengthFor(nodeCount)
  const reaches =
    reach ?? Float64Array.from(regions.size, (size) => 0.52 * length * Math.sqrt(size) + 0.3 * length)
  return {
    ...common,
    linkDistance: length,
    links: regionLinks({ source, target }, regions.of, length),
    regions: new RegionForces(regions, reaches, length, clamped(aspect)),
  }
}

function clamped(aspect: number): number {
  return Math.min(2.2, Math.max(0.5, aspect))
}

function ticksFor(nodeCount: number): number {
  if (nodeCount <= smallNodesMax) return regions ? 180 : 300
  if (nodeCount > 30_000) return 60
  return regions ? 72 : 120
}

function wake(): void {
  if (moving) return
  moving = true
  channel.port2.postMessage(0)
}

function step(): void {
  if (!layout) {
    moving = false
    return
  }
  const begun = performance.now()
  let ticks = 0
  do {
    layout.tick()
    ticks++
  } while (!layout.resting && (still || ticks < ticksPerFrame) && performance.now() - begun < frameMs / 2)
  const now = performance.now()
  const resting = layout.resting
  if (resting || now - sentAt >= (still ? stillMsMax : frameMs)) send(resting)
  moving = !resting
  if (!moving) return
  const rest = frameMs - (now - begun)
  if (still || rest <= 4) channel.port2.postMessage(0)
  else setTimeout(step, rest)
}

let regionsSent: Regions | null = null
/** Regions have come to rest since the layout began: additions do not take their outlines away. */
let outlined = false

function send(done: boolean): void {
  if (!layout) return
  sentAt = performance.now()
  const positions = layout.copyPositions()
  if (regions !== regionsSent || (regions && done)) {
    regionsSent = regions
    outlined ||= done
    const outlines = regions && outlined ? outlinesOf(positions, regions) : null
    scope.postMessage({ kind: 'regions', version, regions, outlines })
  }
  scope.postMessage({ kind: 'positions', version, positions, done }, [positions.buffer])
}
