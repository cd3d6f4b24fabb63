/** Moves the nodes. Sends positions as often as they can be drawn, and once more when all rest. */
import type { LayoutReply, LayoutRequest, WorkerScope } from '../protocol.ts'
import { ForceLayout } from './force-layout.ts'
import { multilevelNodesMin, multilevelPositions, spiralPositions } from './starting-positions.ts'

const scope = self as unknown as WorkerScope<LayoutRequest, LayoutReply>

const frameMs = 16
/** A small graph untangles unseen and then settles in view: the tangle at the start is no sight. */
const unseenMsMax = 350
const unseenAlpha = 0.09
const ticksPerFrame = 3
/** Also a still picture of a large graph must not be waited for longer than this. */
const stillMsMax = 2000

let layout: ForceLayout | undefined
let version = 0
let still = false
let moving = false
let sentAt = 0

// A message to oneself comes at once; a timer would be slowed down to 4 ms.
const channel = new MessageChannel()
channel.port1.onmessage = step

scope.onmessage = ({ data }) => {
  if (data.kind === 'start') start(data)
  else if (data.kind === 'pin') layout?.pin(data.node, data.x, data.y, data.reheat)
  else if (data.kind === 'drop') layout?.cool()
  if (layout && !layout.resting) wake()
}

function start(request: Extract<LayoutRequest, { kind: 'start' }>): void {
  version = request.version
  still = request.still
  sentAt = performance.now()
  const { nodeCount, source, target } = request
  const large = nodeCount > multilevelNodesMin
  const positions =
    request.positions ??
    (large ? multilevelPositions(nodeCount, source, target, request.aspect) : spiralPositions(nodeCount))
  layout = new ForceLayout({ ...request, positions, ticks: ticksFor(request) })
  layout.alpha = request.alpha
  if (request.positions) {
    if (layout.resting) send(true)
  } else if (large) {
    if (!still) send(false)
  } else {
    const begun = performance.now()
    while (layout.alpha > unseenAlpha && performance.now() - begun < unseenMsMax) layout.tick()
    if (!still) send(false)
  }
}

function ticksFor(request: { nodeCount: number; frozen: Uint8Array | null }): number {
  if (request.frozen) return 80
  if (request.nodeCount <= multilevelNodesMin) return 300
  return request.nodeCount > 30_000 ? 60 : 120
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
  scope.postMessage({ kind: 'positions', version, positions, alpha: layout.alpha, done }, [positions.buffer])
}
