import { type EdgeShape, emptyEdgeShape } from '../model/geometry.ts'
import type { Occupancy } from './label-placement.ts'
import type { Painter } from './paint.ts'
import { isEdgeShown, nodeScreenRadius, type Scene, shapeSceneEdge } from './scene.ts'

/** From this scale on every relation in view may show its type, from the lower one those that are picked. */
export const relationNamesScale = 0.9
export const pickedRelationNamesScale = 0.45
const namesMax = 70
const boxSize = 11

/** Writes relation types along their edges, where there is room. */
export function paintRelationNames(
  painter: Painter,
  scene: Scene,
  occupancy: Occupancy,
  edges: Iterable<number>,
  color: string,
): void {
  const shape = emptyEdgeShape()
  painter.font = `500 10.5px ${scene.font.family}`
  painter.textAlign = 'center'
  painter.textBaseline = 'middle'
  painter.lineJoin = 'round'
  painter.lineWidth = 3
  painter.strokeStyle = scene.theme.background
  painter.fillStyle = color
  let painted = 0
  for (const edge of edges) {
    if (painted >= namesMax) break
    const source = scene.data.source[edge]!
    const target = scene.data.target[edge]!
    if (!isEdgeShown(scene, edge)) continue
    shapeSceneEdge(scene, edge, shape)
    const { midX, midY } = shape
    if (midX < 0 || midY < 0 || midX > scene.width || midY > scene.height) continue
    const text = scene.edgeTypes[scene.data.edgeType[edge]!]!
    const width = painter.measureText(text).width
    if (!fits(scene, shape, source, target, width)) continue
    const angle = shape.kind === 'loop' ? 0 : uprightAngle(shape.x2 - shape.x1, shape.y2 - shape.y1)
    if (!takeAlong(occupancy, midX, midY, angle, width)) continue
    painter.save()
    painter.translate(midX, midY)
    painter.rotate(angle)
    painter.strokeText(text, 0, 0)
    painter.fillText(text, 0, 0)
    painter.restore()
    painted++
  }
}

function fits(scene: Scene, shape: EdgeShape, source: number, target: number, textWidth: number): boolean {
  if (shape.kind === 'loop') return true
  const length = Math.hypot(shape.x2 - shape.x1, shape.y2 - shape.y1)
  return length - nodeScreenRadius(scene, source) - nodeScreenRadius(scene, target) > textWidth + 14
}

/** Text must not stand on its head. */
function uprightAngle(dx: number, dy: number): number {
  const angle = Math.atan2(dy, dx)
  if (angle > Math.PI / 2) return angle - Math.PI
  if (angle < -Math.PI / 2) return angle + Math.PI
  return angle
}

/** A slanted text takes a row of small boxes. */
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
