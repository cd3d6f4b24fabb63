import { cutText } from '../model/label.ts'
import type { FloorPlan } from '../protocol.ts'
import type { Painter } from './paint.ts'
import type { Scene } from './scene.ts'

const wallWidth = 1.5
const outerWallWidth = 2
const nameSizeMax = 15
const nameSizeMin = 10

/** Walls, with openings for doors. Outer walls are drawn over inner ones. */
export function paintPlan(painter: Painter, scene: Scene, plan: FloorPlan): void {
  const { k, x, y } = scene.view
  const { theme } = scene
  painter.lineCap = 'square'
  painter.strokeStyle = theme.labelMuted
  painter.lineWidth = wallWidth
  for (const room of plan.rooms)
    painter.strokeRect(room.x * k + x, room.y * k + y, room.width * k, room.height * k)
  painter.strokeStyle = theme.background
  painter.lineCap = 'butt'
  painter.lineWidth = 3 * wallWidth
  painter.beginPath()
  for (let i = 0; i < plan.doors.length; i += 4) {
    painter.moveTo(plan.doors[i]! * k + x, plan.doors[i + 1]! * k + y)
    painter.lineTo(plan.doors[i + 2]! * k + x, plan.doors[i + 3]! * k + y)
  }
  painter.stroke()
  const right = Math.max(0, ...plan.rooms.map((room) => room.x + room.width))
  const bottom = Math.max(0, ...plan.rooms.map((room) => room.y + room.height))
  painter.strokeStyle = theme.edgeStrong
  painter.lineWidth = outerWallWidth
  painter.strokeRect(x, y, right * k, bottom * k)
}

/** The type and number of nodes of each room, in its corner. */
export function paintRoomNames(painter: Painter, scene: Scene, plan: FloorPlan): void {
  const { k, x, y } = scene.view
  const size = Math.min(nameSizeMax, Math.max(nameSizeMin, 26 * k))
  painter.textAlign = 'left'
  painter.textBaseline = 'alphabetic'
  for (const room of plan.rooms) {
    const width = room.width * k - 16
    if (width < 24 || room.height * k < size + 10) continue
    painter.font = `600 ${size}px ${scene.font.family}`
    const name = fitted(painter, scene.types[room.type] ?? '', width)
    const left = room.x * k + x + 8
    const base = room.y * k + y + size + 6
    painter.fillStyle = scene.theme.label
    painter.fillText(name, left, base)
    const after = painter.measureText(name).width + 6
    painter.font = `500 ${0.85 * size}px ${scene.font.family}`
    const count = room.count.toLocaleString('en')
    if (after + painter.measureText(count).width > width) continue
    painter.fillStyle = scene.theme.labelMuted
    painter.fillText(count, left + after, base)
  }
}

/** As much of a name as fits. */
function fitted(painter: Painter, name: string, width: number): string {
  const full = painter.measureText(name).width
  if (full <= width) return name
  return cutText(name, Math.max(1, Math.floor((name.length * width) / full) - 2))
}
