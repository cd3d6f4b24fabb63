/** Draws the graph on two canvases. Everything is drawn at most once per frame, and nothing when all is still. */
import type { RenderReply, RenderRequest, WorkerScope } from '../protocol.ts'
import { Base2d } from './base-2d.ts'
import { loadFont } from './font.ts'
import { Overlay } from './overlay.ts'
import { paintPng } from './png.ts'
import { changeScene, emptyScene, hasPicture, type Scene } from './scene.ts'

const scope = self as unknown as WorkerScope<RenderRequest, RenderReply>

type Stage = { scene: Scene; base: Base2d; overlay: Overlay }

let stage: Stage | undefined
let still = false
let baseStale = false
let overlayStale = false
let frameAsked = false
let received = 0

scope.onmessage = ({ data: request }) => {
  received++
  if (request.kind === 'init') stage = init(request)
  else if (stage) receive(stage, request)
}

function init(request: Extract<RenderRequest, { kind: 'init' }>): Stage {
  const scene = emptyScene(request.theme, request.font)
  const base = new Base2d(request.base)
  const overlay = new Overlay(request.overlay)
  loadFont(request.font, () => {
    overlay.forgetNames()
    invalidate(false)
  })
  return { scene, base, overlay }
}

function receive({ scene, base, overlay }: Stage, request: Exclude<RenderRequest, { kind: 'init' }>): void {
  switch (request.kind) {
    case 'resize':
      scene.width = request.width
      scene.height = request.height
      scene.pixelRatio = request.pixelRatio
      base.resize(scene)
      overlay.resize(scene)
      // A resized canvas is empty until the next drawing, which must not come a frame later.
      baseStale = true
      overlayStale = true
      drawFrame()
      return
    case 'change':
      changeScene(scene, request.patch)
      // Their numbers are those of others now.
      if (request.patch.nodesGone.length > 0) overlay.forgetNames()
      break
    case 'palette':
      scene.palette = request.palette
      scene.types = request.types
      break
    case 'visible':
      scene.visible = request.nodes
      scene.visibleEdges = request.edges
      break
    case 'theme':
      scene.theme = request.theme
      break
    case 'frame':
      scene.view = request.view
      scene.fitScale = request.fitScale
      if (request.positions) {
        scene.positions = request.positions
      }
      if (request.settled) overlay.forgetNames()
      break
    case 'move':
      if (!hasPicture(scene)) return
      scene.positions[2 * request.node] = request.x
      scene.positions[2 * request.node + 1] = request.y
      break
    case 'emphasis':
      scene.emphasis = request.emphasis
      still = request.still
      overlayStale = true
      askFrame()
      return
    case 'png':
      void reply(scene, request)
      return
  }
  invalidate(true)
}

function invalidate(base: boolean): void {
  if (base) baseStale = true
  overlayStale = true
  askFrame()
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
  let complete = true
  if (baseStale) {
    base.draw(scene)
    baseStale = false
  }
  if (!base.refine(scene)) complete = false
  if (overlayStale) overlayStale = overlay.draw(scene, still)
  if (overlayStale) complete = false
  scope.postMessage({ kind: 'drawn', version: scene.version, received, complete })
  if (!complete) askFrame()
}

async function reply(scene: Scene, request: Extract<RenderRequest, { kind: 'png' }>): Promise<void> {
  const { ticket } = request
  try {
    scope.postMessage({ kind: 'png', ticket, blob: await paintPng(scene, request) })
  } catch (error) {
    scope.postMessage({ kind: 'failed', ticket, message: String(error) })
  }
}
