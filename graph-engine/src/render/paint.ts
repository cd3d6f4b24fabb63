/** Drawing functions shared by the lower and the upper canvas. */
import { mixColors } from '../model/colors.ts'
import type { EdgeShape } from '../model/geometry.ts'
import type { TypeStyle } from '../model/palette.ts'
import type { GraphTheme } from '../types.ts'

export type Painter = OffscreenCanvasRenderingContext2D

const rimShare = 0.28
const rimWidthMax = 1.6
const holeShare = 0.5

export function traceEdge(painter: Painter, shape: EdgeShape): void {
  painter.moveTo(shape.x1, shape.y1)
  if (shape.kind === 'line') painter.lineTo(shape.x2, shape.y2)
  else if (shape.kind === 'curve') painter.quadraticCurveTo(shape.cx1, shape.cy1, shape.x2, shape.y2)
  else painter.bezierCurveTo(shape.cx1, shape.cy1, shape.cx2, shape.cy2, shape.x2, shape.y2)
}

export function traceArrow(painter: Painter, shape: EdgeShape, length: number): void {
  const baseX = shape.tipX - shape.dirX * length
  const baseY = shape.tipY - shape.dirY * length
  const sideX = -shape.dirY * length * 0.42
  const sideY = shape.dirX * length * 0.42
  painter.moveTo(shape.tipX, shape.tipY)
  painter.lineTo(baseX + sideX, baseY + sideY)
  painter.lineTo(baseX - sideX, baseY - sideY)
  painter.closePath()
}

export function fillDisc(painter: Painter, x: number, y: number, radius: number): void {
  painter.beginPath()
  painter.arc(x, y, radius, 0, 2 * Math.PI)
  painter.fill()
}

export function strokeCircle(painter: Painter, x: number, y: number, radius: number): void {
  painter.beginPath()
  painter.arc(x, y, radius, 0, 2 * Math.PI)
  painter.stroke()
}

const rims = new Map<string, string>()

/** The colour of a node's rim: slightly darker than the node, or slightly lighter on dark backgrounds. */
function rimOf(color: string, scheme: GraphTheme['scheme']): string {
  const key = scheme + color
  const rim = rims.get(key) ?? mixColors(color, scheme === 'light' ? '#000000' : '#ffffff', rimShare)
  rims.set(key, rim)
  return rim
}

/** A node with a rim and one pixel of background around it, which separates it from neighbours and edges. */
export function paintNode(
  painter: Painter,
  x: number,
  y: number,
  radius: number,
  { color, hollow }: TypeStyle,
  { background, scheme }: GraphTheme,
): void {
  if (radius >= 2) {
    painter.fillStyle = background
    fillDisc(painter, x, y, radius + 1)
  }
  const rim = Math.min(rimWidthMax, 0.14 * radius)
  painter.fillStyle = radius >= 3 ? rimOf(color, scheme) : color
  fillDisc(painter, x, y, radius)
  if (radius >= 3) {
    painter.fillStyle = color
    fillDisc(painter, x, y, radius - rim)
  }
  if (!hollow) return
  painter.fillStyle = background
  fillDisc(painter, x, y, radius * holeShare)
}
