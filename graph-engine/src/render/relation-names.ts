import { emptyEdgeShape, pointAlong } from '../model/geometry.ts'
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

/** Where along its edge a type is tried, from source to target: in the middle first. */
const placesAlong = [0.5, 0.58, 0.42, 0.66, 0.34, 0.74, 0.26]
/** Space between a type and other texts, so that it does not read as a part of them. */
const clearance = 6

/** The type of a relation as drawn along its edge; `at` is the share of the edge before its middle. */
export type RelationName = { edge: number; text: string; at: number }

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
    const type = textOf(scene, edge)
    for (const text of new Set([type, cutText(type, cutLength)])) {
      const at = placeAlong(scene, occupancy, edge, painter.measureText(text).width, always)
      if (at === undefined) continue
      chosen.push({ edge, text, at })
      break
    }
  }
  return chosen
}

/** Finds room for a text along the edge in `shape`, and takes it. */
function placeAlong(
  scene: Scene,
  occupancy: Occupancy,
  edge: number,
  width: number,
  always: boolean,
): number | undefined {
  const fitting = shape.kind === 'loop' ? [0.5] : placesAlong.filter((at) => fits(scene, edge, width, at))
  const inView = fitting.filter((at) => {
    const { x, y } = placeOn(at)
    return x >= 0 && y >= 0 && x <= scene.width && y <= scene.height
  })
  return inView.find((at) => takeAlong(occupancy, placeOn(at), width)) ?? (always ? inView[0] : undefined)
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
  for (const { edge, text, at } of names) {
    if (edge >= scene.data.edgeCount || !isEdgeShown(scene, edge)) continue
    shapeSceneEdge(scene, edge, shape)
    const { x, y, angle } = placeOn(at)
    painter.save()
    painter.translate(x, y)
    painter.rotate(angle)
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

/** Whether a text around a point of the edge touches neither of its nodes. */
function fits(scene: Scene, edge: number, textWidth: number, at: number): boolean {
  const { source, target } = scene.data
  const length = Math.hypot(shape.x2 - shape.x1, shape.y2 - shape.y1)
  const half = textWidth / 2 + 7
  return (
    at * length - nodeScreenRadius(scene, source[edge]!) > half &&
    (1 - at) * length - nodeScreenRadius(scene, target[edge]!) > half
  )
}

type Place = { x: number; y: number; angle: number }

/** A point of the edge in `shape` and its direction there, never upside down. */
function placeOn(at: number): Place {
  if (shape.kind === 'loop') return { x: shape.midX, y: shape.midY, angle: 0 }
  const [x, y] = pointAlong(shape, at)
  const [x1, y1] = pointAlong(shape, at - 0.05)
  const [x2, y2] = pointAlong(shape, at + 0.05)
  const angle = Math.atan2(y2 - y1, x2 - x1)
  const isUpsideDown = Math.abs(angle) > Math.PI / 2
  return { x, y, angle: isUpsideDown ? angle - Math.sign(angle) * Math.PI : angle }
}

/** Marks a row of small boxes as occupied, for slanted text. */
function takeAlong(occupancy: Occupancy, { x, y, angle }: Place, width: number): boolean {
  const count = Math.max(1, Math.ceil(width / boxSize))
  const half = boxSize / 2
  const boxes = Array.from({ length: count }, (_, i) => {
    const along = (i + 0.5 - count / 2) * (width / count)
    const centreX = x + Math.cos(angle) * along
    const centreY = y + Math.sin(angle) * along
    return [centreX - half, centreY - half, centreX + half, centreY + half] as const
  })
  const isClear = boxes.every(([left, top, right, bottom]) =>
    occupancy.isFree(left - clearance, top, right + clearance, bottom),
  )
  if (isClear) for (const box of boxes) occupancy.take(...box)
  return isClear
}
