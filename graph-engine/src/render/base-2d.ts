import { DiscSprites } from './disc-sprites.ts'
import { paintEdges } from './edges-2d.ts'
import { levelOf } from './level.ts'
import { type Painter, paintNode } from './paint.ts'
import { paintPlan } from './paint-plan.ts'
import { paintBundles, paintRegions } from './regions-2d.ts'
import { edgeChunk, isDrawn, nodeScreenRadius, type Scene, screenX, screenY } from './scene.ts'

/** If a frame takes longer than this, fewer edges are drawn while things move. */
const frameBudgetMs = 14
const refineSliceMs = 10
/** The rest of the picture is drawn after the view has been still for this long. */
const refineDelayMs = 160
const edgesAtOnceMin = 500
const nodeChunk = 1000
/** Margin drawn around the view, so that panning only has to copy. */
const marginShare = 0.25
const marginShareFine = 0.12
const fineRatio = 1.5
/** Zooming scales the copy up to this factor before it is redrawn. */
const stretchMax = 1.25
const crossFadeMs = 300

type Picture = {
  canvas: OffscreenCanvas
  painter: Painter
  /** Its content: the scene of the view with a margin; null before the first drawing. */
  scene: Scene | null
  /** Whether everything has been drawn into it. */
  complete: boolean
}

/** The lower of the two canvases: regions, edges and nodes, without names or emphasis. */
export class Base2d {
  readonly #canvas: OffscreenCanvas
  readonly #painter: Painter
  #discs = new DiscSprites()
  #shown = createPicture()
  #next = createPicture()
  #stale = true
  // Running averages of the cost of one edge and one node on this machine.
  #edgeMs = 0.001
  #nodeMs = 0.001
  #refineFrom = 0
  #progress: { edges: number; nodes: number } | null = null
  #fade: { picture: Picture; from: number } | null = null
  #fadeNext = false

  constructor(canvas: OffscreenCanvas) {
    this.#canvas = canvas
    this.#painter = painterOf(canvas)
  }

  resize(scene: Scene): void {
    this.#canvas.width = Math.max(1, Math.round(scene.width * scene.pixelRatio))
    this.#canvas.height = Math.max(1, Math.round(scene.height * scene.pixelRatio))
    this.invalidate()
  }

  /** Call after a change other than of the view. */
  invalidate(): void {
    this.#stale = true
    this.#progress = null
  }

  /** Call after the contents of all canvases were lost. */
  renew(): void {
    this.#discs = new DiscSprites()
    this.#shown = createPicture()
    this.#next = createPicture()
    this.#fade = null
    this.invalidate()
  }

  /** Keeps what is shown until the next complete picture fades in. */
  fadeIn(): void {
    this.#fadeNext = true
  }

  /** Draws at once, with less detail if drawing everything takes too long. */
  draw(scene: Scene): void {
    const serves = this.#serves(scene)
    const waits = this.#fadeNext && this.#stale && serves
    if (waits) this.#shown.complete = false
    else if (this.#stale || !serves) {
      this.#fade = null
      this.#quick(scene)
    }
    this.#stale = false
    this.#refineFrom = performance.now() + (waits ? 0 : refineDelayMs)
    this.#progress = null
    this.#copy(scene)
  }

  /**
   * Continues with the full picture after `draw`.
   * @returns whether it is complete
   */
  refine(scene: Scene): boolean {
    if (this.#fade) return this.#fadeStep(scene)
    if (this.#shown.complete && this.#isCentred(scene)) return true
    const begun = performance.now()
    if (begun < this.#refineFrom) return false
    this.#progress ??= this.#begin(scene)
    if (!this.#proceed(this.#progress, begun + refineSliceMs)) return false
    this.#progress = null
    const before = this.#shown
    this.#shown = this.#next
    this.#next = before
    if (this.#fadeNext && before.scene) this.#fade = { picture: before, from: performance.now() }
    this.#fadeNext = false
    this.#copy(scene)
    return !this.#fade
  }

  /** Draws everything, however long it takes; for exports. */
  drawFully(scene: Scene): void {
    this.#discs.prepare(scene)
    this.#ground(this.#painter, scene)
    paintEdges(prepared(this.#painter, scene), scene, 0, scene.data.edgeCount, 1)
    this.#nodes(this.#painter, scene, 0, scene.data.nodeCount, false)
  }

  /** Whether a copy of the picture can be used for the view. */
  #serves(scene: Scene): boolean {
    const before = this.#shown.scene
    if (!before) return false
    const stretch = scene.view.k / before.view.k
    if (stretch > stretchMax || stretch < 1 / stretchMax) return false
    if (levelOf(scene) !== levelOf(before)) return false
    const left = scene.view.x - before.view.x * stretch
    const top = scene.view.y - before.view.y * stretch
    return (
      left <= 0.5 &&
      top <= 0.5 &&
      left + before.width * stretch >= scene.width - 0.5 &&
      top + before.height * stretch >= scene.height - 0.5
    )
  }

  /** Whether the picture is drawn at this scale and leaves room to pan in all directions. */
  #isCentred(scene: Scene): boolean {
    const before = this.#shown.scene!
    if (scene.view.k !== before.view.k) return false
    const room = (before.width - scene.width) / 2
    const rise = (before.height - scene.height) / 2
    const left = before.view.x - scene.view.x
    const top = before.view.y - scene.view.y
    return Math.abs(left - room) <= room * 0.6 + 1 && Math.abs(top - rise) <= rise * 0.6 + 1
  }

  #copy(scene: Scene): void {
    const painter = this.#painter
    painter.setTransform(1, 0, 0, 1, 0, 0)
    painter.globalAlpha = 1
    if (this.#fade) {
      copyPicture(painter, scene, this.#fade.picture)
      painter.globalAlpha = Math.min(1, (performance.now() - this.#fade.from) / crossFadeMs)
    }
    copyPicture(painter, scene, this.#shown)
    painter.globalAlpha = 1
  }

  #fadeStep(scene: Scene): boolean {
    if (!this.#fade) return true
    if (performance.now() - this.#fade.from >= crossFadeMs) this.#fade = null
    this.#copy(scene)
    return !this.#fade
  }

  #quick(scene: Scene): void {
    const wide = this.#prepare(this.#shown, scene)
    const { edgeCount, nodeCount } = wide.data
    const affordable = (frameBudgetMs - nodeCount * this.#nodeMs) / this.#edgeMs
    const count = Math.min(edgeCount, Math.max(edgesAtOnceMin, Math.floor(affordable)))
    const { painter } = this.#shown
    const isAll = count === edgeCount
    this.#ground(painter, wide)
    const begun = performance.now()
    paintEdges(painter, wide, 0, count, Math.min(3, edgeCount / Math.max(1, count)))
    const edgesDone = performance.now()
    this.#nodes(painter, wide, 0, nodeCount, !isAll)
    if (count > 0) this.#edgeMs = smooth(this.#edgeMs, (edgesDone - begun) / count)
    this.#nodeMs = smooth(this.#nodeMs, (performance.now() - edgesDone) / Math.max(1, nodeCount))
    this.#shown.complete = isAll
  }

  #begin(scene: Scene) {
    this.#ground(this.#next.painter, this.#prepare(this.#next, scene))
    return { edges: 0, nodes: 0 }
  }

  #proceed(progress: { edges: number; nodes: number }, until: number): boolean {
    const { painter, scene } = this.#next
    if (!scene) return true
    const { edgeCount, nodeCount } = scene.data
    while (progress.edges < edgeCount) {
      const to = Math.min(edgeCount, progress.edges + edgeChunk)
      paintEdges(painter, scene, progress.edges, to, 1)
      progress.edges = to
      if (performance.now() >= until) return false
    }
    while (progress.nodes < nodeCount) {
      const to = Math.min(nodeCount, progress.nodes + nodeChunk)
      this.#nodes(painter, scene, progress.nodes, to, false)
      progress.nodes = to
      if (performance.now() >= until && to < nodeCount) return false
    }
    this.#next.complete = true
    return true
  }

  /** The scene of a picture: with a margin on each side. */
  #prepare(picture: Picture, scene: Scene): Scene {
    this.#discs.prepare(scene)
    const share = scene.pixelRatio > fineRatio ? marginShareFine : marginShare
    const [left, top] = [Math.round(scene.width * share), Math.round(scene.height * share)]
    const { k, x, y } = scene.view
    const width = scene.width + 2 * left
    const height = scene.height + 2 * top
    const wide = { ...scene, width, height, view: { k, x: x + left, y: y + top } }
    const pixelWidth = Math.max(1, Math.round(width * scene.pixelRatio))
    const pixelHeight = Math.max(1, Math.round(height * scene.pixelRatio))
    if (picture.canvas.width !== pixelWidth || picture.canvas.height !== pixelHeight) {
      picture.canvas.width = pixelWidth
      picture.canvas.height = pixelHeight
    }
    picture.scene = wide
    picture.complete = false
    return wide
  }

  /** The layer below edges and nodes. */
  #ground(painter: Painter, scene: Scene): void {
    prepared(painter, scene)
    painter.fillStyle = scene.theme.background
    painter.fillRect(0, 0, scene.width, scene.height)
    if (scene.plan) paintPlan(painter, scene, scene.plan)
    else paintRegions(painter, scene)
    if (!scene.plan && levelOf(scene) === 'far') paintBundles(painter, scene)
  }

  /** @param quick draw small nodes as squares, at a third of the cost */
  #nodes(painter: Painter, scene: Scene, from: number, to: number, quick: boolean): void {
    const { data, palette, width, height, byColor, theme } = scene
    prepared(painter, scene)
    let current = -1
    for (let q = from; q < to; q++) {
      const node = byColor[q]!
      if (!isDrawn(scene, node)) continue
      const x = screenX(scene, node)
      const y = screenY(scene, node)
      const radius = nodeScreenRadius(scene, node)
      if (x < -radius || y < -radius || x > width + radius || y > height + radius) continue
      const type = data.color[node]!
      if (!this.#discs.has(radius)) {
        paintNode(painter, x, y, radius, palette[type]!, theme)
        current = -1
      } else if (!quick || radius >= 3) this.#discs.paint(painter, x, y, radius, type)
      else {
        // Too small, or shown too briefly, to tell a square from a disc.
        if (type !== current) painter.fillStyle = palette[type]!.color
        current = type
        painter.fillRect(x - radius, y - radius, 2 * radius, 2 * radius)
      }
    }
  }
}

function createPicture(): Picture {
  const canvas = new OffscreenCanvas(1, 1)
  return { canvas, painter: painterOf(canvas), scene: null, complete: false }
}

function painterOf(canvas: OffscreenCanvas): Painter {
  const painter = canvas.getContext('2d', { alpha: false })
  if (!painter) throw new Error('Canvas 2D is not available')
  return painter
}

function prepared(painter: Painter, scene: Scene): Painter {
  painter.setTransform(scene.pixelRatio, 0, 0, scene.pixelRatio, 0, 0)
  return painter
}

function copyPicture(painter: Painter, scene: Scene, { canvas, scene: drawn }: Picture): void {
  if (!drawn) return
  const stretch = scene.view.k / drawn.view.k
  const left = Math.round((scene.view.x - drawn.view.x * stretch) * scene.pixelRatio)
  const top = Math.round((scene.view.y - drawn.view.y * stretch) * scene.pixelRatio)
  if (stretch === 1) painter.drawImage(canvas, left, top)
  else painter.drawImage(canvas, left, top, canvas.width * stretch, canvas.height * stretch)
}

function smooth(mean: number, value: number): number {
  return Math.max(0.0001, mean * 0.7 + value * 0.3)
}
