import { type Adjacency, adjacencyOf, degreeOf } from '../model/adjacency.ts'
import { type EdgeShape, edgeBends, screenRadius, shapeEdge, shapeLoop } from '../model/geometry.ts'
import { seededRandom } from '../model/random.ts'
import type { Emphasis, RenderData, ViewTransform } from '../protocol.ts'
import type { GraphFont, GraphTheme } from '../types.ts'

/** Edges are drawn in chunks: small enough to stop between them, sorted by nothing but chance. */
export const edgeChunk = 2000

/** What there is to draw, shared by the back ends. */
export type Scene = {
  data: RenderData
  positions: Float32Array
  visible: Uint8Array | null
  adjacency: Adjacency
  /** Lazily made: only what is zoomed in on shows that edges run side by side. */
  bends: Float32Array | null
  /** Nodes, the most important first: for names. */
  byImportance: Uint32Array
  /** Nodes by colour, so that one colour is set once. */
  byColor: Uint32Array
  /** A random order of edges: the first part of them is a fair sample of all. */
  edgeOrder: Uint32Array
  view: ViewTransform
  fitScale: number
  width: number
  height: number
  pixelRatio: number
  theme: GraphTheme
  font: GraphFont
  emphasis: Emphasis
}

export function emptyScene(theme: GraphTheme, font: GraphFont): Scene {
  const none = new Uint32Array(0)
  const scene = {
    view: { k: 1, x: 0, y: 0 },
    fitScale: 1,
    width: 1,
    height: 1,
    pixelRatio: 1,
    theme,
    font,
    emphasis: { hovered: -1, selected: -1, path: [] },
  }
  const data: RenderData = {
    version: 0,
    nodeCount: 0,
    source: none,
    target: none,
    radius: new Float32Array(0),
    color: new Uint16Array(0),
    palette: [],
    labels: [],
    edgeType: new Uint16Array(0),
    edgeTypes: [],
  }
  return { ...scene, ...derive(data) }
}

/** Replaces the data; places come later, with the next frame. */
export function setSceneData(scene: Scene, data: RenderData): void {
  Object.assign(scene, derive(data))
}

function derive(data: RenderData) {
  const { nodeCount, source, target, radius, color } = data
  const adjacency = adjacencyOf(nodeCount, source, target)
  const importance = Float32Array.from(
    { length: nodeCount },
    (_, i) => degreeOf(adjacency, i) + radius[i]! / 4,
  )
  const byImportance = Uint32Array.from({ length: nodeCount }, (_, i) => i)
  byImportance.sort((a, b) => importance[b]! - importance[a]! || a - b)
  const byColor = Uint32Array.from({ length: nodeCount }, (_, i) => i)
  byColor.sort((a, b) => color[a]! - color[b]! || a - b)
  return {
    data,
    positions: new Float32Array(0),
    visible: null,
    adjacency,
    bends: null,
    byImportance,
    byColor,
    edgeOrder: shuffled(source.length),
  }
}

function shuffled(length: number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, i) => i)
  const random = seededRandom(3)
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = order[i]!
    order[i] = order[j]!
    order[j] = kept
  }
  return order
}

export function hasPicture(scene: Scene): boolean {
  return scene.positions.length === 2 * scene.data.nodeCount
}

export function isShown(scene: Scene, node: number): boolean {
  return scene.visible === null || scene.visible[node] === 1
}

export function screenX(scene: Scene, node: number): number {
  return scene.positions[2 * node]! * scene.view.k + scene.view.x
}

export function screenY(scene: Scene, node: number): number {
  return scene.positions[2 * node + 1]! * scene.view.k + scene.view.y
}

export function nodeScreenRadius(scene: Scene, node: number): number {
  return screenRadius(scene.data.radius[node]!, scene.view.k)
}

/** Distance of the ring around a selected node, in pixels. */
export const selectionGap = 5

/** Shapes an edge of the scene into `out`. */
export function shapeSceneEdge(scene: Scene, edge: number, out: EdgeShape): void {
  const { data, view } = scene
  scene.bends ??= edgeBends(data.nodeCount, data.source, data.target)
  const s = data.source[edge]!
  const t = data.target[edge]!
  const bend = scene.bends[edge]!
  // The ring of a selected node lies outside of it; arrows end there.
  const radius = nodeScreenRadius(scene, t) + (t === scene.emphasis.selected ? selectionGap : 0)
  if (s === t) shapeLoop(out, screenX(scene, s), screenY(scene, s), radius, view.k, bend)
  else {
    const pixels = bend * Math.min(view.k, 1.5)
    shapeEdge(out, screenX(scene, s), screenY(scene, s), screenX(scene, t), screenY(scene, t), radius, pixels)
  }
}

/** From this scale on single edges can be told apart, so they get their bends and arrow heads. */
export const detailScale = 0.4

export function arrowLength(scale: number): number {
  // They grow out of nothing: all at once would be a flicker.
  const grown = Math.min(1, Math.max(0.2, (scale - detailScale) / 0.2))
  return Math.min(11, 8 * scale ** 0.6) * grown
}

export function edgeWidth(scale: number): number {
  return Math.min(2, Math.max(1, 1.3 * scale ** 0.5))
}

/** How opaque edges are: the more of them lie in view, the fainter, or they would hide everything. */
export function edgeOpacity(scene: Scene): number {
  const inView = Math.min(1, (scene.fitScale / scene.view.k) ** 0.7)
  const crowd = Math.sqrt(scene.data.source.length * inView)
  return Math.max(0.13, Math.min(0.95, 30 / Math.max(1, crowd)))
}
