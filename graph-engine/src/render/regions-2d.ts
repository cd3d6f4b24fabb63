import { arcsMax } from './bundles.ts'
import type { Painter } from './paint.ts'
import { regionColor } from './region-colors.ts'
import type { Scene } from './scene.ts'

const arcBow = 0.12

/** Fills and outlines the regions. */
export function paintRegions(painter: Painter, scene: Scene, alpha = 1): void {
  const { outlines, regions, view, theme } = scene
  if (!outlines || !regions) return
  painter.globalAlpha = alpha
  painter.lineWidth = 1
  painter.lineJoin = 'round'
  for (let loop = 0; loop < outlines.region.length; loop++) {
    const tint = regions.tint[outlines.region[loop]!] ?? Number.NaN
    painter.beginPath()
    for (let i = outlines.start[loop]!; i < outlines.start[loop + 1]!; i++) {
      painter.lineTo(outlines.points[2 * i]! * view.k + view.x, outlines.points[2 * i + 1]! * view.k + view.y)
    }
    painter.closePath()
    painter.fillStyle = regionColor(theme.scheme, 'fill', tint)
    painter.fill()
    painter.strokeStyle = regionColor(theme.scheme, 'line', tint)
    painter.stroke()
  }
  painter.globalAlpha = 1
}

/** Arcs between the centres of regions, instead of their individual edges. */
export function paintBundles(painter: Painter, scene: Scene): void {
  const { bundles, centres, view, theme } = scene
  const most = bundles[0]?.count ?? 1
  const crowd = Math.min(1, Math.sqrt(arcsMax / 2 / bundles.length))
  painter.strokeStyle = theme.edge
  painter.lineCap = 'round'
  for (const { a, b, count } of bundles) {
    const strength = Math.sqrt(count / most)
    const [x1, y1] = [centres[2 * a]! * view.k + view.x, centres[2 * a + 1]! * view.k + view.y]
    const [x2, y2] = [centres[2 * b]! * view.k + view.x, centres[2 * b + 1]! * view.k + view.y]
    painter.globalAlpha = crowd * (0.14 + 0.26 * strength)
    painter.lineWidth = 1 + 6 * crowd * strength
    painter.beginPath()
    painter.moveTo(x1, y1)
    // A quadratic curve bows half as far as its control point.
    painter.quadraticCurveTo(
      (x1 + x2) / 2 + 2 * arcBow * (y2 - y1),
      (y1 + y2) / 2 - 2 * arcBow * (x2 - x1),
      x2,
      y2,
    )
    painter.stroke()
  }
  painter.globalAlpha = 1
}
