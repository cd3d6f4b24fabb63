import { type EdgeShape, emptyEdgeShape } from '../model/geometry.ts'
import { cutText } from '../model/label.ts'
import type { Occupancy } from './label-placement.ts'
import { nearScale } from './level.ts'
import type { Painter } from './paint.ts'
import {
  isEdgeShown,
  nodeScreenRadius,
  regionOf,
  type Scene,
  screenX,
  screenY,
  shapeSceneEdge,
} from './scene.ts'

/** From this scale on, picked relations show their types. */
export const pickedRelationNamesScale = 0.45
const namesMax = 90
const boxSize = 11
const lengthMax = 260
/** A type too long for its edge is cut after this many characters. */
const cutLength = 14

/** The type of a relation as drawn along its edge. */
export type RelationName = { edge: number; text: string }

type Measure = { font: string; measureText(text: string): { width: number } }

const shape = emptyEdgeShape()

/**
 * Chooses the relations whose types are drawn along them, where there is room.
 * @param always relations that are drawn even without room
 */
export function chooseRelationNames(
  painter: Measure,
  scene: Scene,
  occupancy: Occupancy,
  edges: Iterable<number>,
  always = false,
): RelationName[] {
  painter.font = fontOf(scene)
  const chosen: RelationName[] = []
  for (const edge of edges) {
    if (chosen.length >= namesMax) break
    if (!isEdgeShown(scene, edge)) continue
    shapeSceneEdge(scene, edge, shape)
    const { midX, midY } = shape
    if (midX < 0 || midY < 0 || midX > scene.width || midY > scene.height) continue
    const type = textOf(scene, edge)
    for (const text of new Set([type, cutText(type, cutLength)])) {
      const { width } = painter.measureText(text)
      if (!fits(scene, edge, width)) continue
      if (!takeAlong(occupancy, midX, midY, angleOf(), width) && !always) continue
      chosen.push({ edge, text })
      break
    }
  }
  return chosen
}

/** In the near view: relations inside a region and short ones, with both ends in view. */
export function* nearRelations(scene: Scene): Generator<number> {
  if (scene.view.k < nearScale) return
  const { data } = scene
  const inView = (node: number) => {
    const [x, y] = [screenX(scene, node), screenY(scene, node)]
    return x > 0 && y > 0 && x < scene.width && y < scene.height
  }
  for (const edge of scene.edgeOrder) {
    const [s, t] = [data.source[edge]!, data.target[edge]!]
    if (!inView(s) || !inView(t)) continue
    const length = Math.hypot(screenX(scene, s) - screenX(scene, t), screenY(scene, s) - screenY(scene, t))
    if (regionOf(scene, s) === regionOf(scene, t) || length < lengthMax) yield edge
  }
}

export function paintRelationNames(
  painter: Painter,
  scene: Scene,
  names: readonly RelationName[],
  color: string,
  alpha = 1,
): void {
  painter.font = fontOf(scene)
  painter.textAlign = 'center'
  painter.textBaseline = 'middle'
  painter.lineJoin = 'round'
  painter.lineWidth = 4
  painter.strokeStyle = scene.theme.background
  painter.fillStyle = color
  painter.globalAlpha = alpha
  for (const { edge, text } of names) {
    if (edge >= scene.data.edgeCount || !isEdgeShown(scene, edge)) continue
    shapeSceneEdge(scene, edge, shape)
    painter.save()
    painter.translate(shape.midX, shape.midY)
    painter.rotate(angleOf())
    painter.strokeText(text, 0, 0)
    painter.fillText(text, 0, 0)
    painter.restore()
  }
  painter.globalAlpha = 1
}

function fontOf(scene: Scene): string {
  return `500 10.5px ${scene.font.family}`
}

function textOf(scene: Scene, edge: number): string {
  return scene.edgeTypes[scene.data.edgeType[edge]!]!
}

function fits(scene: Scene, edge: number, textWidth: number): boolean {
  if (shape.kind === 'loop') return true
  const { source, target } = scene.data
  const length = Math.hypot(shape.x2 - shape.x1, shape.y2 - shape.y1)
  return (
    length - nodeScreenRadius(scene, source[edge]!) - nodeScreenRadius(scene, target[edge]!) > textWidth + 14
  )
}

function angleOf(): number {
  return shape.kind === 'loop' ? 0 : uprightAngle(shape)
}

/** Keeps text from being upside down. */
function uprightAngle({ x1, y1, x2, y2 }: EdgeShape): number {
  const angle = Math.atan2(y2 - y1, x2 - x1)
  if (angle > Math.PI / 2) return angle - Math.PI
  if (angle < -Math.PI / 2) return angle + Math.PI
  return angle
}

/** Marks a row of small boxes as occupied, for slanted text. */
function takeAlong(occupancy: Occupancy, x: number, y: number, angle: number, width: number): boolean {
  const count = Math.max(1, Math.ceil(width / boxSize))
  const boxes = Array.from({ length: count }, (_, i) => {
    const along = (i + 0.5 - count / 2) * (width / count)
    const centreX = x + Math.cos(angle) * along
    const centreY = y + Math.sin(angle) * along
    const half = boxSize / 2
    return [centreX - half, centreY - half, centreX + half, centreY + half] as const
  })
  if (!boxes.every((box) => occupancy.isFree(...box))) return false
  for (const box of boxes) occupancy.take(...box)
  return true
}
