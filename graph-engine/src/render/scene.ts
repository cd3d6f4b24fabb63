import { bendOf, type EdgeShape, screenRadius, shapeEdge, shapeLoop } from '../model/geometry.ts'
import { carryOver, GraphNumbers } from '../model/graph-numbers.ts'
import type { TypeStyle } from '../model/palette.ts'
import { seededRandom } from '../model/random.ts'
import type {
  Emphasis,
  FloorPlan,
  GraphPatch,
  Outlines,
  Regions,
  Ring,
  Sketch,
  ViewTransform,
} from '../protocol.ts'
import type { GraphFont, GraphPadding, GraphTheme } from '../types.ts'
import { type Bundle, bundlesOf } from './bundles.ts'
import { reranked } from './ranking.ts'

/** Edges are drawn in chunks in random order: small enough to stop between them. */
export const edgeChunk = 2000

/** Everything to draw, shared by the back ends. */
export type Scene = {
  version: number
  data: GraphNumbers
  labels: string[]
  /** Indexed by type number. */
  palette: TypeStyle[]
  types: string[]
  edgeTypes: string[]
  positions: Float32Array
  visible: Uint8Array | null
  visibleEdges: Uint8Array | null
  /** Nodes, the most important first; for names. */
  byImportance: Uint32Array
  /** Nodes by colour, so that each colour is set once. */
  byColor: Uint32Array
  /** A random order of edges: any prefix is a fair sample of all. */
  edgeOrder: Uint32Array
  random: () => number
  view: ViewTransform
  fitScale: number
  width: number
  height: number
  pixelRatio: number
  theme: GraphTheme
  font: GraphFont
  emphasis: Emphasis
  padding: GraphPadding
  regions: Regions | null
  outlines: Outlines | null
  regionNames: string[]
  /** The centre of each region, x0, y0, ... */
  centres: Float64Array
  bundles: Bundle[]
  plan: FloorPlan | null
  ring: Ring | null
  /** 1 for nodes in a ring, which are drawn on the upper canvas. */
  lifted: Uint8Array | null
  pinned: Uint32Array
  /** Strength of each node's glow. */
  recent: Float32Array | null
  /** When the ring of each of these nodes started. */
  arrivals: Map<number, number>
  notes: ReadonlyMap<number, string>
}

export function emptyScene(theme: GraphTheme, font: GraphFont): Scene {
  return {
    version: 0,
    data: new GraphNumbers(),
    labels: [],
    palette: [],
    types: [],
    edgeTypes: [],
    positions: new Float32Array(0),
    visible: null,
    visibleEdges: null,
    byImportance: new Uint32Array(0),
    byColor: new Uint32Array(0),
    edgeOrder: new Uint32Array(0),
    random: seededRandom(3),
    view: { k: 1, x: 0, y: 0 },
    fitScale: 1,
    width: 1,
    height: 1,
    pixelRatio: 1,
    theme,
    font,
    emphasis: { hovered: -1, selected: -1, start: -1, path: [], marked: [] },
    padding: { left: 0, top: 0, right: 0, bottom: 0 },
    regions: null,
    outlines: null,
    regionNames: [],
    centres: new Float64Array(0),
    bundles: [],
    plan: null,
    ring: null,
    lifted: null,
    pinned: new Uint32Array(0),
    recent: null,
    arrivals: new Map(),
    notes: new Map(),
  }
}

/** Changes the data; its positions come with the next frame. */
export function changeScene(scene: Scene, patch: GraphPatch, more = false): void {
  const { data, labels } = scene
  for (const node of patch.nodesGone) {
    const last = labels.pop()
    if (last !== undefined && node < labels.length) labels[node] = last
  }
  for (let i = 0; i < patch.nodes.index.length; i++) labels[patch.nodes.index[i]!] = patch.nodes.labels[i]!
  data.apply(patch)
  scene.version = patch.version
  scene.edgeTypes = patch.edgeTypes
  if (scene.regions) scene.regions = { ...scene.regions, of: carryOver(scene.regions.of, 1, patch, -1) }
  if (scene.recent) scene.recent = carryOver(scene.recent, 1, patch, 0)
  if (patch.nodesGone.length > 0) {
    // The view sends these again with the new numbers.
    scene.arrivals.clear()
    scene.notes = new Map()
  }
  // The orders are found once the graph is complete.
  if (more) return
  scene.edgeOrder = reshuffled(scene.edgeOrder, patch.edgesGone.length, data.edgeCount, scene.random)

  const { nodes, edges } = patch
  const isBehind = scene.byColor.length < data.nodeCount - nodes.index.length
  const isSmall = !isBehind && nodes.index.length + edges.index.length < data.nodeCount / 16
  const touched = isSmall ? new Set([...nodes.index, ...edges.source, ...edges.target]) : null
  const importance = (node: number) => data.degree(node) + data.radius[node]! / 4
  scene.byImportance = reranked(
    scene.byImportance,
    patch,
    data.nodeCount,
    touched,
    (node) => -importance(node),
  )
  scene.byColor = reranked(scene.byColor, patch, data.nodeCount, touched, (node) => data.color[node]!)
}

/** Shuffles again after a change: drops the `gone` highest numbers and inserts new ones up to `length`. */
function reshuffled(order: Uint32Array, gone: number, length: number, random: () => number): Uint32Array {
  const kept = order.length - gone
  const next = new Uint32Array(length)
  next.set(gone === 0 ? order : order.filter((edge) => edge < kept))
  for (let i = kept; i < length; i++) {
    const j = Math.floor(random() * (i + 1))
    next[i] = next[j]!
    next[j] = i
  }
  return next
}

/** Shows regions without nodes. */
export function setSketch(scene: Scene, { regions, outlines, centres }: Sketch, names: string[]): void {
  Object.assign(scene, { regions, outlines, centres, bundles: [], regionNames: names })
}

export function setRegions(scene: Scene, regions: Regions | null, outlines: Outlines | null): void {
  scene.regions = regions
  scene.outlines = regions && outlines
  scene.bundles = bundlesOf(scene)
  placeCentres(scene)
}

/** Computes the centre of each region after nodes or regions have changed. */
export function placeCentres(scene: Scene): void {
  const { regions, positions } = scene
  const centres = new Float64Array(2 * (regions?.size.length ?? 0))
  const counts = new Uint32Array(centres.length / 2)
  for (let node = 0; regions && node < positions.length / 2; node++) {
    const row = regions.of[node] ?? -1
    if (row < 0) continue
    centres[2 * row]! += positions[2 * node]!
    centres[2 * row + 1]! += positions[2 * node + 1]!
    counts[row]!++
  }
  scene.centres = centres.map((sum, i) => sum / Math.max(1, counts[i >> 1]!))
}

/** The region of a node, -1 if there are none. */
export function regionOf(scene: Scene, node: number): number {
  return scene.regions?.of[node] ?? -1
}

export function hasPicture(scene: Scene): boolean {
  return scene.positions.length === 2 * scene.data.nodeCount
}

/** Also false for a node that was just removed: the emphasis without it arrives in a later message. */
export function isShown(scene: Scene, node: number): boolean {
  return node < scene.data.nodeCount && (scene.visible === null || scene.visible[node] === 1)
}

/** Whether an edge and both of its ends are shown. */
export function isEdgeShown(scene: Scene, edge: number): boolean {
  if (scene.visibleEdges !== null && scene.visibleEdges[edge] === 0) return false
  return isShown(scene, scene.data.source[edge]!) && isShown(scene, scene.data.target[edge]!)
}

/** Whether a node is drawn on the lower canvas. */
export function isDrawn(scene: Scene, node: number): boolean {
  return isShown(scene, node) && scene.lifted?.[node] !== 1
}

/** Whether an edge is drawn on the lower canvas; edges of nodes in a ring are not. */
export function isEdgeDrawn(scene: Scene, edge: number): boolean {
  if (!isEdgeShown(scene, edge) || scene.plan) return false
  const { lifted, data } = scene
  return lifted === null || (lifted[data.source[edge]!] !== 1 && lifted[data.target[edge]!] !== 1)
}

export function screenX(scene: Scene, node: number): number {
  return scene.positions[2 * node]! * scene.view.k + scene.view.x
}

export function screenY(scene: Scene, node: number): number {
  return scene.positions[2 * node + 1]! * scene.view.k + scene.view.y
}

/** Dots in rooms are smaller than nodes, so that each has room for itself and its name. */
const planShare = 0.6

export function nodeScreenRadius(scene: Scene, node: number): number {
  return screenRadius(scene.data.radius[node]! * (scene.plan ? planShare : 1), scene.view.k)
}

/** Gap between a selected node and its ring, in pixels. */
export const selectionGap = 5
/** Width of the ring plus the gap to the name, in pixels. */
const selectionRing = 3

const stationRadiusMin = 9
/** Gap between a node of a path and its ring, in pixels. */
export const stationGap = 3

/** Nodes of a path are large enough for a number. */
export function stationRadius(scene: Scene, node: number): number {
  return Math.max(stationRadiusMin, nodeScreenRadius(scene, node))
}

/** Minimum distance of a name from the centre of its node, in pixels. */
export function namedFrom(scene: Scene, node: number): number {
  const { selected, start, path } = scene.emphasis
  if (node === start || path.includes(node)) return stationRadius(scene, node) + stationGap
  const ring = node === selected ? selectionGap + selectionRing : 0
  return nodeScreenRadius(scene, node) + ring
}

/** Computes the shape of an edge of the scene into `out`. */
export function shapeSceneEdge(scene: Scene, edge: number, out: EdgeShape): void {
  const { data, view } = scene
  const s = data.source[edge]!
  const t = data.target[edge]!
  const bend = bendOf(data, edge)
  // A selected node is surrounded by a ring; arrows end there.
  const radius = nodeScreenRadius(scene, t) + (t === scene.emphasis.selected ? selectionGap : 0)
  if (s === t) shapeLoop(out, screenX(scene, s), screenY(scene, s), radius, view.k, bend)
  else {
    const pixels = bend * Math.min(view.k, 1.5)
    shapeEdge(out, screenX(scene, s), screenY(scene, s), screenX(scene, t), screenY(scene, t), radius, pixels)
  }
}
