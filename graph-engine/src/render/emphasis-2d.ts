import { mixColors, parseHex, withAlpha } from '../model/colors.ts'
import { emptyEdgeShape } from '../model/geometry.ts'
import { arrowLength, edgeWidth } from './edges-2d.ts'
import { fillDisc, type Painter, paintNode, strokeCircle, traceArrow, traceEdge } from './paint.ts'
import {
  isShown,
  nodeScreenRadius,
  type Scene,
  screenX,
  screenY,
  selectionGap,
  shapeSceneEdge,
  stationGap,
  stationRadius,
} from './scene.ts'

const selectedRadiusMin = 4
const ownEndShare = 0.6
const pathWidth = 2.5
const pathGlow = 9
const pathGlowAlpha = 0.22
const coveredNodesMax = 3000

const shape = emptyEdgeShape()

/** Edges of one colour with their arrowheads. */
export function paintStrongEdges(
  painter: Painter,
  scene: Scene,
  edges: readonly number[],
  color: string,
  width: number,
): void {
  if (edges.length === 0) return
  painter.strokeStyle = color
  painter.fillStyle = color
  painter.lineWidth = width
  painter.lineCap = 'round'
  painter.beginPath()
  for (const edge of edges) {
    shapeSceneEdge(scene, edge, shape)
    traceEdge(painter, shape)
  }
  painter.stroke()
  if (scene.view.k < 0.2) return
  painter.beginPath()
  for (const edge of edges) {
    shapeSceneEdge(scene, edge, shape)
    traceArrow(painter, shape, Math.max(6, arrowLength(scene.view.k)) * Math.min(1.4, Math.sqrt(width)))
  }
  painter.fill()
}

/** The edges of a node, each in the colour of the node at its other end. */
export function paintEdgesOf(
  painter: Painter,
  scene: Scene,
  node: number,
  edges: readonly number[],
  width: number,
): void {
  const byColor = new Map<string, number[]>()
  for (const edge of edges) {
    const color = otherEndColor(scene, node, edge)
    const group = byColor.get(color)
    if (group) group.push(edge)
    else byColor.set(color, [edge])
  }
  for (const [color, group] of byColor) paintStrongEdges(painter, scene, group, color, width)
}

function otherEndColor(scene: Scene, node: number, edge: number): string {
  const { data, theme, palette } = scene
  const other = palette[data.color[data.otherEnd(edge, node)]!]?.color ?? theme.edgeStrong
  return mixColors(theme.edgeStrong, other, ownEndShare)
}

export function hoverEdgeWidth(scene: Scene): number {
  return edgeWidth(scene.view.k) * 1.3
}

export function paintSceneNode(painter: Painter, scene: Scene, node: number): void {
  if (!isShown(scene, node)) return
  const { data, theme, palette } = scene
  const style = palette[data.color[node]!]!
  paintNode(painter, screenX(scene, node), screenY(scene, node), nodeScreenRadius(scene, node), style, theme)
}

/** Redraws the nodes that edges of the upper canvas cross. */
export function coverEdges(painter: Painter, scene: Scene, edges: readonly number[]): void {
  if (scene.data.nodeCount > coveredNodesMax || edges.length === 0) return
  const { source, target } = scene.data
  for (let node = 0; node < scene.data.nodeCount; node++) {
    const [x, y, radius] = [screenX(scene, node), screenY(scene, node), nodeScreenRadius(scene, node) + 1]
    const isCrossed = edges.some((edge) => {
      const [s, t] = [source[edge]!, target[edge]!]
      const ends = [screenX(scene, s), screenY(scene, s), screenX(scene, t), screenY(scene, t)] as const
      return distanceToLine(x, y, ...ends) < radius
    })
    if (isCrossed) paintSceneNode(painter, scene, node)
  }
}

function distanceToLine(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy)
}

/** The node under the pointer, with a halo. */
export function paintHovered(painter: Painter, scene: Scene, node: number, level: number): void {
  const color = scene.palette[scene.data.color[node]!]!.color
  painter.fillStyle = withAlpha(color, 0.2 * level)
  fillDisc(painter, screenX(scene, node), screenY(scene, node), nodeScreenRadius(scene, node) + 7)
  paintSceneNode(painter, scene, node)
}

export function paintSelection(painter: Painter, scene: Scene): void {
  const { selected } = scene.emphasis
  if (selected < 0 || !isShown(scene, selected)) return
  const { theme, palette, data } = scene
  const [x, y] = [screenX(scene, selected), screenY(scene, selected)]
  // In a large graph nodes are specks: the node inside the ring must still be visible.
  const radius = Math.max(selectedRadiusMin, nodeScreenRadius(scene, selected))
  painter.fillStyle = withAlpha(theme.selection, 0.16)
  fillDisc(painter, x, y, radius + selectionGap + 6)
  painter.fillStyle = theme.background
  fillDisc(painter, x, y, radius + selectionGap)
  paintNode(painter, x, y, radius, palette[data.color[selected]!]!, theme)
  painter.strokeStyle = theme.selection
  painter.lineWidth = 2.5
  strokeCircle(painter, x, y, radius + selectionGap)
}

/** The relations of a path with a glow, and its nodes, ringed and numbered in order. */
export function paintPath(painter: Painter, scene: Scene, edges: readonly number[]): void {
  const { theme } = scene
  painter.strokeStyle = withAlpha(theme.path, pathGlowAlpha)
  painter.lineWidth = pathGlow
  painter.lineCap = 'round'
  painter.beginPath()
  for (const edge of edges) {
    shapeSceneEdge(scene, edge, shape)
    traceEdge(painter, shape)
  }
  painter.stroke()
  paintStrongEdges(painter, scene, edges, theme.path, pathWidth)
  for (const [i, node] of scene.emphasis.path.entries()) paintStation(painter, scene, node, i + 1)
}

/** A node of a path, ringed and numbered. */
export function paintStation(painter: Painter, scene: Scene, node: number, number: number): void {
  if (!isShown(scene, node)) return
  const { theme } = scene
  const style = scene.palette[scene.data.color[node]!]!
  const [x, y, radius] = [screenX(scene, node), screenY(scene, node), stationRadius(scene, node)]
  painter.fillStyle = theme.background
  fillDisc(painter, x, y, radius + stationGap + 2)
  paintNode(painter, x, y, radius, { ...style, hollow: false }, theme)
  painter.strokeStyle = theme.path
  painter.lineWidth = 2
  strokeCircle(painter, x, y, radius + stationGap)
  painter.font = `700 ${Math.min(13, radius + 2)}px ${scene.font.family}`
  painter.textAlign = 'center'
  painter.textBaseline = 'middle'
  painter.fillStyle = readableOn(style.color)
  painter.fillText(String(number), x, y + 0.5)
}

/** Black or white, whichever has more contrast with the colour. */
function readableOn(color: string): string {
  const [red, green, blue] = parseHex(color)
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#101114' : '#ffffff'
}
