/** Moves the nodes. Sends positions as often as they can be drawn, and once more when all rest. */
import { carryOver, GraphNumbers } from '../model/graph-numbers.ts'
import type { LayoutReply, LayoutRequest, WorkerScope } from '../protocol.ts'
import { ForceLayout } from './force-layout.ts'
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

type Change = Extract<LayoutRequest, { kind: 'change' }>

const numbers = new GraphNumbers()
let layout: ForceLayout | undefined
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
  numbers.apply(request.patch)
  // No more than sizes have changed, which the layout shares.
  if (request.patch.version === version && request.positions === null && request.patch.nodes.index.length > 0)
    return
  version = request.patch.version
  still = request.still
  sentAt = performance.now()
  if (request.positions) addTo(request.positions, request)
  else start(request)
}

/** What is still untangling goes on doing so; what had come to rest stays where it is. */
function addTo(positions: Float32Array, { patch, newcomers, aspect }: Change): void {
  const before = layout
  const goesOn = before !== undefined && before.alpha > additionAlpha / 10
  const frozen = goesOn
    ? carryOver(before.pinned, 1, patch, 0)
    : new Uint8Array(numbers.nodeCount).fill(1, 0, numbers.nodeCount - newcomers)
  const isFrozen = frozen.includes(1)
  const ticks = isFrozen ? additionTicks : ticksFor(numbers.nodeCount)
  layout = new ForceLayout({ ...graph(), positions, frozen: isFrozen ? frozen : null, aspect, ticks })
  layout.alpha = goesOn ? before.alpha : newcomers > 0 ? additionAlpha : 0
  if (layout.resting) send(true)
}

function start({ aspect, pins }: Change): void {
  const { nodeCount, source, target } = numbers
  const large = nodeCount > multilevelNodesMin
  const positions = large
    ? multilevelPositions(nodeCount, source, target, aspect)
    : spiralPositions(nodeCount)
  layout = new ForceLayout({ ...graph(), positions, aspect, ticks: ticksFor(nodeCount) })
  layout.hold(pins)
  if (!large) {
    const begun = performance.now()
    while (layout.alpha > unseenAlpha && performance.now() - begun < unseenMsMax) layout.tick()
  }
  if (!still) send(false)
}

function graph() {
  const { nodeCount, source, target, radius } = numbers
  return { nodeCount, source, target, radius }
}

function ticksFor(nodeCount: number): number {
  if (nodeCount <= multilevelNodesMin) return 300
  return nodeCount > 30_000 ? 60 : 120
}

function wake(): void {
  if (moving) return
  moving = true
  channel.port2.postMessage(0)
}

function step(): void {
  if (!layout) return
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

function send(done: boolean): void {
  if (!layout) return
  sentAt = performance.now()
  const positions = layout.copyPositions()
  scope.postMessage({ kind: 'positions', version, positions, done }, [positions.buffer])
}
