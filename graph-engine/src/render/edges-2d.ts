import { mixColors } from '../model/colors.ts'
import { emptyEdgeShape } from '../model/geometry.ts'
import { type Level, levelOf } from './level.ts'
import { type Painter, traceArrow, traceEdge } from './paint.ts'
import { isEdgeDrawn, regionOf, type Scene, screenX, screenY, shapeSceneEdge } from './scene.ts'

/** The cost of a single path grows faster than linearly with its edges in the software rasteriser. */
const edgesPerPath = 200
/** Edges are grey mixed with this share of their source's colour. */
const ownShare = 0.45
const arrowScaleMin = 0.4
const arrowEdgeMin = 24
const farEdgeMin = 4
const fewEdgesMax = 2000
const straightScale = 1
const bundlePull = 0.8
const bundlePoint = 0.45
const lengthClasses = 3
const reach = 60

type Alphas = readonly [short: number, middle: number, long: number]
const alphas: Record<'crowded' | 'sparse', { inside: Alphas; between: Alphas }> = {
  crowded: { inside: [0.62, 0.46, 0.34], between: [0.24, 0.15, 0.09] },
  sparse: { inside: [0.7, 0.6, 0.5], between: [0.42, 0.32, 0.24] },
}

export function edgeWidth(scale: number): number {
  return Math.min(1.6, Math.max(0.8, 1.1 * Math.sqrt(scale)))
}

export function arrowLength(scale: number): number {
  return Math.min(10, 7 * scale ** 0.6)
}

/**
 * Opacity of edges: long edges, and many edges in view, are fainter; otherwise they would hide
 * everything.
 */
export function edgeAlpha(scene: Scene, level: Level, between: boolean, lengthClass: number): number {
  const { edgeCount } = scene.data
  const kind = edgeCount < fewEdgesMax && level !== 'far' ? 'sparse' : 'crowded'
  const inView = edgeCount * Math.min(1, scene.fitScale / scene.view.k)
  const crowd = Math.max(0.42, Math.min(1, 34 / Math.sqrt(Math.max(1, inView))))
  const near = between && level === 'near' ? 0.55 : 1
  return alphas[kind][between ? 'between' : 'inside'][lengthClass]! * crowd * near
}

function lengthClassOf(length: number, between: boolean): number {
  const [short, middle] = between ? [160, 400] : [60, 140]
  return length < short ? 0 : length < middle ? 1 : 2
}

const shape = emptyEdgeShape()

/**
 * Draws the edges in view by their index in the random order; edges that look alike share a path.
 * @param boost factor on opacity, because each edge stands for others that are not drawn
 */
export function paintEdges(painter: Painter, scene: Scene, from: number, to: number, boost: number): void {
  const level = levelOf(scene)
  const looks = new Map<number, number[]>()
  for (let q = from; q < to; q++) {
    const edge = scene.edgeOrder[q]!
    const look = lookOf(scene, edge, level)
    if (look < 0) continue
    const edges = looks.get(look)
    if (edges) edges.push(edge)
    else looks.set(look, [edge])
  }
  const grey = scene.theme.edge
  const width = edgeWidth(scene.view.k)
  for (const [look, edges] of looks) {
    const lengthClass = look % lengthClasses
    const between = Math.floor(look / lengthClasses) % 2 === 1
    const type = Math.floor(look / (2 * lengthClasses))
    painter.strokeStyle = mixColors(grey, scene.palette[type]?.color ?? grey, ownShare)
    painter.fillStyle = painter.strokeStyle
    painter.lineWidth = between ? 0.85 * width : width
    painter.globalAlpha = Math.min(0.95, edgeAlpha(scene, level, between, lengthClass) * boost)
    strokeAll(painter, scene, edges, between)
    if (!between && scene.view.k >= arrowScaleMin) fillArrows(painter, scene, edges)
  }
  painter.globalAlpha = 1
}

/** Encodes colour, whether the edge leads to another region, and length class; -1 if it is not drawn. */
function lookOf(scene: Scene, edge: number, level: Level): number {
  if (!isEdgeDrawn(scene, edge)) return -1
  const { data, width, height } = scene
  const s = data.source[edge]!
  const t = data.target[edge]!
  const between = regionOf(scene, s) !== regionOf(scene, t)
  if (between && level === 'far') return -1
  const [x1, y1, x2, y2] = [screenX(scene, s), screenY(scene, s), screenX(scene, t), screenY(scene, t)]
  if ((x1 < -reach && x2 < -reach) || (x1 > width + reach && x2 > width + reach)) return -1
  if ((y1 < -reach && y2 < -reach) || (y1 > height + reach && y2 > height + reach)) return -1
  const length = Math.hypot(x2 - x1, y2 - y1)
  if (level === 'far' && length < farEdgeMin && s !== t) return -1
  return (data.color[s]! * 2 + Number(between)) * lengthClasses + lengthClassOf(length, between)
}

function strokeAll(painter: Painter, scene: Scene, edges: readonly number[], between: boolean): void {
  const bundled = between && scene.view.k < straightScale
  const plain = scene.view.k < arrowScaleMin
  painter.beginPath()
  for (const [i, edge] of edges.entries()) {
    if (bundled) traceBundled(painter, scene, edge)
    else if (plain) tracePlain(painter, scene, edge)
    else {
      shapeSceneEdge(scene, edge, shape)
      traceEdge(painter, shape)
    }
    if ((i + 1) % edgesPerPath === 0) {
      painter.stroke()
      painter.beginPath()
    }
  }
  painter.stroke()
}

function tracePlain(painter: Painter, scene: Scene, edge: number): void {
  const { source, target } = scene.data
  painter.moveTo(screenX(scene, source[edge]!), screenY(scene, source[edge]!))
  painter.lineTo(screenX(scene, target[edge]!), screenY(scene, target[edge]!))
}

/** Edges between the same two regions share most of their route. */
function traceBundled(painter: Painter, scene: Scene, edge: number): void {
  const { data, centres, view } = scene
  const s = data.source[edge]!
  const t = data.target[edge]!
  const [a, b] = [regionOf(scene, s), regionOf(scene, t)]
  const toward = (odd: 0 | 1, from: number, to: number, own: number) => {
    const start = centres[2 * from + odd]!
    const point =
      (start + (centres[2 * to + odd]! - start) * bundlePoint) * view.k + (odd === 0 ? view.x : view.y)
    return own + (point - own) * bundlePull
  }
  const [x1, y1, x2, y2] = [screenX(scene, s), screenY(scene, s), screenX(scene, t), screenY(scene, t)]
  painter.moveTo(x1, y1)
  painter.bezierCurveTo(
    toward(0, a, b, x1),
    toward(1, a, b, y1),
    toward(0, b, a, x2),
    toward(1, b, a, y2),
    x2,
    y2,
  )
}

function fillArrows(painter: Painter, scene: Scene, edges: readonly number[]): void {
  const length = arrowLength(scene.view.k)
  painter.beginPath()
  for (const edge of edges) {
    shapeSceneEdge(scene, edge, shape)
    if (Math.hypot(shape.x2 - shape.x1, shape.y2 - shape.y1) > arrowEdgeMin)
      traceArrow(painter, shape, length)
  }
  painter.fill()
}
