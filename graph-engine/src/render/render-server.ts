import type { RenderReply, RenderRequest, WorkerScope } from '../protocol.ts'
import { Base2d } from './base-2d.ts'
import { loadFont } from './font.ts'
import { Overlay } from './overlay.ts'
import { paintPng } from './png.ts'
import {
  changeScene,
  emptyScene,
  hasPicture,
  placeCentres,
  type Scene,
  setRegions,
  setSketch,
} from './scene.ts'

type Request = Exclude<RenderRequest, { kind: 'init' }>
type Stage = { scene: Scene; base: Base2d; overlay: Overlay }
type Change = Exclude<Request, { kind: 'frame' | 'emphasis' | 'arrivals' | 'ring' | 'resize' }>

const manyNodesMin = 20_000

/** Draws the graph on two canvases, at most once per frame and only after a change. */
export class RenderServer {
  readonly #scope: WorkerScope<RenderRequest, RenderReply>
  #stage: Stage | undefined
  #still = false
  #baseStale = false
  #overlayStale = false
  #frameAsked = false
  #received = 0
  /** Whether the last positions were those at rest. */
  #settled = true
  #liftedKey = ''

  constructor(scope: WorkerScope<RenderRequest, RenderReply>) {
    this.#scope = scope
    scope.onmessage = ({ data }) => this.#take(data)
  }

  #take(request: RenderRequest): void {
    this.#received++
    if (request.kind === 'init') this.#stage = this.#init(request)
    else if (request.kind === 'png') void this.#reply(request)
    else if (this.#stage) {
      this.#receive(this.#stage, request)
      this.#askFrame()
    }
  }

  #init(request: Extract<RenderRequest, { kind: 'init' }>): Stage {
    const scene = emptyScene(request.theme, request.font)
    const base = new Base2d(request.base)
    const overlay = new Overlay(request.overlay)
    for (const canvas of [request.base, request.overlay])
      canvas.addEventListener('contextrestored', () => this.#restore())
    loadFont(request.font, () => {
      overlay.texts.show()
      this.#overlayStale = true
      this.#askFrame()
    })
    return { scene, base, overlay }
  }

  /** Draws everything again after the graphics card has dropped the canvases, as it may when a device wakes up. */
  #restore(): void {
    this.#stage?.base.renew()
    this.#baseStale = true
    this.#overlayStale = true
    this.#askFrame()
  }

  #receive(on: Stage, request: Request): void {
    if (request.kind === 'frame') {
      this.#frame(on, request)
      return
    }
    this.#overlayStale = true
    if (request.kind === 'emphasis') {
      on.scene.emphasis = request.emphasis
      this.#still = request.still
    } else if (request.kind === 'arrivals') {
      for (const node of request.nodes) on.scene.arrivals.set(node, performance.now())
    } else if (request.kind === 'ring') {
      on.scene.ring = request.ring
      this.#still = request.still
    } else if (request.kind === 'resize') this.#resize(on, request)
    else {
      if (changeAll(on, request)) {
        on.base.invalidate()
        this.#baseStale = true
      }
      on.overlay.texts.invalidate()
    }
  }

  #frame({ scene, base, overlay }: Stage, request: Extract<Request, { kind: 'frame' }>): void {
    const { view } = request
    const moved = view.k !== scene.view.k || view.x !== scene.view.x || view.y !== scene.view.y
    scene.view = view
    scene.fitScale = request.fitScale
    if (request.positions) {
      // Neither the first nodes in regions that are shown already should jump, nor many at once.
      const isFirst = scene.positions.length === 0 && scene.outlines !== null
      const areMany = request.settled && !this.#settled && request.positions.length > 2 * manyNodesMin
      if (isFirst || areMany) base.fadeIn()
      this.#settled = request.settled
      scene.positions = request.positions
      placeCentres(scene)
      base.invalidate()
      overlay.texts.invalidate()
    }
    if (request.settled) overlay.texts.forget()
    if (moved || request.positions) {
      this.#baseStale = true
      this.#overlayStale = true
    }
  }

  #resize({ scene, base, overlay }: Stage, request: Extract<Request, { kind: 'resize' }>): void {
    scene.width = request.width
    scene.height = request.height
    scene.pixelRatio = request.pixelRatio
    base.resize(scene)
    overlay.resize(scene)
    // A resized canvas is blank until it is redrawn, which must not happen a frame later.
    this.#baseStale = true
    this.#drawFrame()
  }

  #askFrame(): void {
    if (this.#frameAsked) return
    this.#frameAsked = true
    requestAnimationFrame(() => {
      this.#frameAsked = false
      this.#drawFrame()
    })
  }

  #drawFrame(): void {
    if (!this.#stage || !hasPicture(this.#stage.scene)) return
    const { scene, base, overlay } = this.#stage
    if (this.#overlayStale) this.#overlayStale = overlay.draw(scene, this.#still)
    this.#lift(this.#stage)
    if (this.#baseStale) base.draw(scene)
    this.#baseStale = false
    const complete = base.refine(scene) && !this.#overlayStale
    this.#scope.postMessage({ kind: 'drawn', version: scene.version, received: this.#received, complete })
    if (!complete) this.#askFrame()
  }

  /** Nodes of a ring leave the lower canvas when it opens and return when it has closed. */
  #lift({ scene, base, overlay }: Stage): void {
    if (
      overlay.ring.key === this.#liftedKey &&
      (scene.lifted?.length ?? scene.data.nodeCount) === scene.data.nodeCount
    )
      return
    this.#liftedKey = overlay.ring.key
    scene.lifted = overlay.ring.lifted(scene.data.nodeCount)
    base.invalidate()
    this.#baseStale = true
  }

  async #reply(request: Extract<Request, { kind: 'png' }>): Promise<void> {
    const { ticket } = request
    try {
      if (!this.#stage) throw new Error('Nothing has been drawn yet')
      this.#scope.postMessage({ kind: 'png', ticket, blob: await paintPng(this.#stage.scene, request) })
    } catch (error) {
      this.#scope.postMessage({ kind: 'failed', ticket, message: String(error) })
    }
  }
}

/** Applies a change; returns whether the lower canvas shows it. */
function changeAll({ scene, base, overlay }: Stage, request: Change): boolean {
  switch (request.kind) {
    case 'change':
      changeScene(scene, request.patch, request.more)
      // Their numbers now belong to other nodes.
      if (request.patch.nodesGone.length > 0) {
        overlay.texts.forget()
        overlay.ring.forget()
      }
      return true
    case 'sketch':
      // The graph itself may have come first.
      if (scene.data.nodeCount > 0) return false
      setSketch(scene, request.sketch, request.names)
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
