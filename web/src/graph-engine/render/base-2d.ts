import { emptyEdgeShape } from '../model/geometry.ts'
import { DiscSprites } from './disc-sprites.ts'
import { type Painter, paintNode, traceArrow, traceEdge } from './paint.ts'
import {
  arrowLength,
  detailScale,
  edgeChunk,
  edgeOpacity,
  edgeWidth,
  isEdgeShown,
  isShown,
  nodeScreenRadius,
  type Scene,
  screenX,
  screenY,
  shapeSceneEdge,
} from './scene.ts'

/** A frame that takes longer than this is drawn with fewer edges while things move. */
const frameBudgetMs = 14
const refineSliceMs = 10
/** The rest of the picture waits until the view has been still for this long. */
const refineDelayMs = 160
/** One path of all edges would be slower than linear in the software rasteriser. */
const edgesPerPath = 200
const edgesAtOnceMin = 500

/** The lower of the two canvases: all edges and nodes, without names and emphasis. */
export class Base2d {
  readonly #canvas: OffscreenCanvas
  readonly #painter: Painter
  readonly #spare: OffscreenCanvas
  readonly #sparePainter: Painter
  readonly #shape = emptyEdgeShape()
  readonly #discs = new DiscSprites()
  // Running means of what one edge and one node cost here.
  #edgeMs = 0.001
  #nodeMs = 0.001
  #edgesDone = 0
  #refineFrom = 0

  constructor(canvas: OffscreenCanvas) {
    this.#canvas = canvas
    this.#painter = opaquePainter(canvas)
    this.#spare = new OffscreenCanvas(1, 1)
    this.#sparePainter = opaquePainter(this.#spare)
  }

  resize(scene: Scene): void {
    for (const canvas of [this.#canvas, this.#spare]) {
      canvas.width = Math.max(1, Math.round(scene.width * scene.pixelRatio))
      canvas.height = Math.max(1, Math.round(scene.height * scene.pixelRatio))
    }
  }

  draw(scene: Scene): void {
    const edgeCount = scene.data.source.length
    const affordable = (frameBudgetMs - scene.data.nodeCount * this.#nodeMs) / this.#edgeMs
    const count = Math.min(edgeCount, Math.max(edgesAtOnceMin, Math.floor(affordable)))
    clear(this.#painter, scene)
    const begun = performance.now()
    this.#edges(this.#painter, scene, 0, count, edgeCount / Math.max(1, count))
    const edgesDone = performance.now()
    this.#nodes(this.#painter, scene, count < edgeCount)
    if (count > 0) this.#edgeMs = smooth(this.#edgeMs, (edgesDone - begun) / count)
    this.#nodeMs = smooth(this.#nodeMs, (performance.now() - edgesDone) / Math.max(1, scene.data.nodeCount))
    this.#edgesDone = count === edgeCount ? edgeCount : 0
    this.#refineFrom = performance.now() + refineDelayMs
  }

  refine(scene: Scene): boolean {
    const edgeCount = scene.data.source.length
    if (this.#edgesDone >= edgeCount) return true
    const begun = performance.now()
    if (begun < this.#refineFrom) return false
    if (this.#edgesDone === 0) clear(this.#sparePainter, scene)
    while (this.#edgesDone < edgeCount && performance.now() - begun < refineSliceMs) {
      const to = Math.min(edgeCount, this.#edgesDone + edgeChunk)
      this.#edges(this.#sparePainter, scene, this.#edgesDone, to, 1)
      this.#edgesDone = to
    }
    if (this.#edgesDone < edgeCount) return false
    this.#painter.setTransform(1, 0, 0, 1, 0, 0)
    this.#painter.drawImage(this.#spare, 0, 0)
    this.#nodes(this.#painter, scene, false)
    return true
  }

  /** Draws everything, however long it takes: for exports. */
  drawFully(scene: Scene): void {
    clear(this.#painter, scene)
    this.#edges(this.#painter, scene, 0, scene.data.source.length, 1)
    this.#nodes(this.#painter, scene, false)
  }

  /** @param standsFor how many edges each drawn one stands for */
  #edges(painter: Painter, scene: Scene, from: number, to: number, standsFor: number): void {
    const { view, theme } = scene
    painter.setTransform(scene.pixelRatio, 0, 0, scene.pixelRatio, 0, 0)
    painter.globalAlpha = Math.min(0.95, edgeOpacity(scene) * Math.min(3, standsFor))
    painter.strokeStyle = theme.edge
    painter.fillStyle = theme.edge
    painter.lineWidth = edgeWidth(view.k)
    if (view.k >= detailScale) this.#detailedEdges(painter, scene, from, to)
    else this.#plainEdges(painter, scene, from, to)
    painter.globalAlpha = 1
  }

  #plainEdges(painter: Painter, scene: Scene, from: number, to: number): void {
    const { data, positions, view, width, height, edgeOrder } = scene
    const { k, x, y } = view
    let inPath = 0
    painter.beginPath()
    for (let q = from; q < to; q++) {
      const edge = edgeOrder[q]!
      const s = data.source[edge]!
      const t = data.target[edge]!
      if (!isEdgeShown(scene, edge)) continue
      const x1 = positions[2 * s]! * k + x
      const y1 = positions[2 * s + 1]! * k + y
      const x2 = positions[2 * t]! * k + x
      const y2 = positions[2 * t + 1]! * k + y
      if (
        (x1 < 0 && x2 < 0) ||
        (x1 > width && x2 > width) ||
        (y1 < 0 && y2 < 0) ||
        (y1 > height && y2 > height)
      )
        continue
      if ((x1 - x2) ** 2 + (y1 - y2) ** 2 < 2) continue
      painter.moveTo(x1, y1)
      painter.lineTo(x2, y2)
      if (++inPath % edgesPerPath === 0) {
        painter.stroke()
        painter.beginPath()
      }
    }
    painter.stroke()
  }

  #detailedEdges(painter: Painter, scene: Scene, from: number, to: number): void {
    const { data, width, height, edgeOrder } = scene
    const shape = this.#shape
    const length = arrowLength(scene.view.k)
    const reach = 60
    const shown: number[] = []
    painter.beginPath()
    for (let q = from; q < to; q++) {
      const edge = edgeOrder[q]!
      const s = data.source[edge]!
      const t = data.target[edge]!
      if (!isEdgeShown(scene, edge)) continue
      const x1 = screenX(scene, s)
      const y1 = screenY(scene, s)
      const x2 = screenX(scene, t)
      const y2 = screenY(scene, t)
      if ((x1 < -reach && x2 < -reach) || (x1 > width + reach && x2 > width + reach)) continue
      if ((y1 < -reach && y2 < -reach) || (y1 > height + reach && y2 > height + reach)) continue
      shown.push(edge)
      shapeSceneEdge(scene, edge, shape)
      traceEdge(painter, shape)
      if (shown.length % edgesPerPath === 0) {
        painter.stroke()
        painter.beginPath()
      }
    }
    painter.stroke()
    painter.beginPath()
    for (const edge of shown) {
      shapeSceneEdge(scene, edge, shape)
      traceArrow(painter, shape, length)
    }
    painter.fill()
  }

  /** @param quick small nodes as squares, which cost a third */
  #nodes(painter: Painter, scene: Scene, quick: boolean): void {
    const { data, palette, width, height, byColor, theme } = scene
    painter.setTransform(scene.pixelRatio, 0, 0, scene.pixelRatio, 0, 0)
    this.#discs.prepare(
      palette.map(({ color }) => color),
      scene.pixelRatio,
    )
    let current = -1
    for (let q = 0; q < byColor.length; q++) {
      const node = byColor[q]!
      if (!isShown(scene, node)) continue
      const x = screenX(scene, node)
      const y = screenY(scene, node)
      const radius = nodeScreenRadius(scene, node)
      if (x < -radius || y < -radius || x > width + radius || y > height + radius) continue
      const color = data.color[node]!
      if (radius >= 3) {
        paintNode(painter, x, y, radius, palette[color]!.color, theme.background)
        current = -1
        continue
      }
      if (!quick && radius * scene.pixelRatio >= 1) {
        this.#discs.paint(painter, x, y, radius, color)
        continue
      }
      // So small, or so briefly seen, that nobody can tell a square from a disc.
      if (color !== current) painter.fillStyle = palette[color]!.color
      current = color
      painter.fillRect(x - radius, y - radius, 2 * radius, 2 * radius)
    }
  }
}

function opaquePainter(canvas: OffscreenCanvas): Painter {
  const painter = canvas.getContext('2d', { alpha: false })
  if (!painter) throw new Error('Canvas 2D is not available')
  return painter
}

function clear(painter: Painter, scene: Scene): void {
  painter.setTransform(scene.pixelRatio, 0, 0, scene.pixelRatio, 0, 0)
  painter.fillStyle = scene.theme.background
  painter.fillRect(0, 0, scene.width, scene.height)
}

function smooth(mean: number, value: number): number {
  return Math.max(0.0001, mean * 0.7 + value * 0.3)
}
