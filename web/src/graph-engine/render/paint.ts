/** Strokes that the 2D back end and the overlay share. */
import type { EdgeShape } from '../model/geometry.ts'

export type Painter = OffscreenCanvasRenderingContext2D

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

/** A node with a rim in the background's colour, which keeps neighbours and edges off it. */
export function paintNode(
  painter: Painter,
  x: number,
  y: number,
  radius: number,
  color: string,
  rim: string,
): void {
  if (radius >= 3) {
    painter.fillStyle = rim
    fillDisc(painter, x, y, radius + Math.min(2, radius * 0.2))
  }
  painter.fillStyle = color
  fillDisc(painter, x, y, radius)
}
