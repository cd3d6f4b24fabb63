/** Draws the graph on two canvases. Everything is drawn at most once per frame, and nothing when all is still. */
import type { RenderReply, RenderRequest, WorkerScope } from '../protocol.ts'
import { Base2d } from './base-2d.ts'
import { loadFont } from './font.ts'
import { Overlay } from './overlay.ts'
import { paintPng } from './png.ts'
import { changeScene, emptyScene, hasPicture, placeCentres, type Scene, setRegions } from './scene.ts'

const scope = self as unknown as WorkerScope<RenderRequest, RenderReply>

type Request = Exclude<RenderRequest, { kind: 'init' }>
type Stage = { scene: Scene; base: Base2d; overlay: Overlay }

let stage: Stage | undefined
let still = false
let baseStale = false
let overlayStale = false
let frameAsked = false
let received = 0
let liftedKey = ''

scope.onmessage = ({ data: request }) => {
  received++
  if (request.kind === 'init') stage = init(request)
  else if (request.kind === 'png') void reply(request)
  else if (stage) {
    receive(stage, request)
    askFrame()
  }
}

function init(request: Extract<RenderRequest, { kind: 'init' }>): Stage {
  const scene = emptyScene(request.theme, request.font)
  const base = new Base2d(request.base)
  const overlay = new Overlay(request.overlay)
  loadFont(request.font, () => {
    overlay.texts.show()
    overlayStale = true
    askFrame()
  })
  return { scene, base, overlay }
}

function receive(on: Stage, request: Request): void {
  if (request.kind === 'frame') {
    frame(on, request)
    return
  }
  overlayStale = true
  if (request.kind === 'emphasis') {
    on.scene.emphasis = request.emphasis
    still = request.still
  } else if (request.kind === 'arrivals') {
    for (const node of request.nodes) on.scene.arrivals.set(node, performance.now())
  } else if (request.kind === 'ring') {
    on.scene.ring = request.ring
    still = request.still
  } else if (request.kind === 'resize') resize(on, request)
  else {
    if (changeAll(on, request)) {
      on.base.invalidate()
      baseStale = true
    }
    on.overlay.texts.invalidate()
  }
}

function frame({ scene, base, overlay }: Stage, request: Extract<Request, { kind: 'frame' }>): void {
  const { view } = request
  const moved = view.k !== scene.view.k || view.x !== scene.view.x || view.y !== scene.view.y
  scene.view = view
  scene.fitScale = request.fitScale
  if (request.positions) {
    scene.positions = request.positions
    placeCentres(scene)
    base.invalidate()
    overlay.texts.invalidate()
  }
  if (request.settled) overlay.texts.forget()
  if (moved || request.positions) {
    baseStale = true
    overlayStale = true
  }
}

function resize({ scene, base, overlay }: Stage, request: Extract<Request, { kind: 'resize' }>): void {
  scene.width = request.width
  scene.height = request.height
  scene.pixelRatio = request.pixelRatio
  base.resize(scene)
  overlay.resize(scene)
  // A resized canvas is empty until the next drawing, which must not come a frame later.
  baseStale = true
  drawFrame()
}

type Change = Exclude<Request, { kind: 'frame' | 'emphasis' | 'arrivals' | 'ring' | 'resize' }>

/** Takes over what has changed; whether the lower canvas shows it. */
function changeAll({ scene, base, overlay }: Stage, request: Change): boolean {
  switch (request.kind) {
    case 'change':
      changeScene(scene, request.patch)
      // Their numbers are those of others now.
      if (request.patch.nodesGone.length > 0) {
        overlay.texts.forget()
        overlay.ring.forget()
      }
      return true
    case 'palette':
      scene.palette = request.palette
      scene.types = request.types
      return true
    case 'visible':
      scene.visible = request.nodes
      scene.visibleEdges = request.edges
      return true
    case 'regions':
      if (request.outlines && !scene.outlines) base.fadeIn()
      setRegions(scene, request.regions, request.outlines)
      return true
    case 'plan':
      scene.plan = request.plan
      return true
    case 'theme':
      scene.theme = request.theme
      return true
    case 'move':
      if (!hasPicture(scene)) return false
      scene.positions[2 * request.node] = request.x
      scene.positions[2 * request.node + 1] = request.y
      return true
    case 'padding':
      scene.padding = request.padding
      return false
    case 'regionNames':
      scene.regionNames = request.names
      return false
    case 'pinned':
      scene.pinned = request.nodes
      return false
    case 'recent':
      scene.recent = request.strengths
      return false
    case 'notes':
      scene.notes = new Map(request.notes)
      return false
    default:
      return false
  }
}

function askFrame(): void {
  if (frameAsked) return
  frameAsked = true
  requestAnimationFrame(() => {
    frameAsked = false
    drawFrame()
  })
}

function drawFrame(): void {
  if (!stage || !hasPicture(stage.scene)) return
  const { scene, base, overlay } = stage
  if (overlayStale) overlayStale = overlay.draw(scene, still)
  lift(stage)
  if (baseStale) base.draw(scene)
  baseStale = false
  const complete = base.refine(scene) && !overlayStale
  scope.postMessage({ kind: 'drawn', version: scene.version, received, complete })
  if (!complete) askFrame()
}

/** Nodes of a ring leave the lower canvas when it opens and come back when it has closed. */
function lift({ scene, base, overlay }: Stage): void {
  if (
    overlay.ring.key === liftedKey &&
    (scene.lifted?.length ?? scene.data.nodeCount) === scene.data.nodeCount
  )
    return
  liftedKey = overlay.ring.key
  scene.lifted = overlay.ring.lifted(scene.data.nodeCount)
  base.invalidate()
  baseStale = true
}

async function reply(request: Extract<Request, { kind: 'png' }>): Promise<void> {
  const { ticket } = request
  try {
    if (!stage) throw new Error('Nothing has been drawn yet')
    scope.postMessage({ kind: 'png', ticket, blob: await paintPng(stage.scene, request) })
  } catch (error) {
    scope.postMessage({ kind: 'failed', ticket, message: String(error) })
  }
}
