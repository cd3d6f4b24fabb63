import { withAlpha } from '../model/colors.ts'
import { type Painter, strokeCircle } from './paint.ts'
import { isShown, nodeScreenRadius, type Scene, screenX, screenY } from './scene.ts'

/** Of the background over what is covered with dust. */
const dustAlpha = 0.78
const arrivalMs = 900
const glowReach = 7
const pinSize = 4

/** Glows of recent changes: the more recent, the stronger; and dust. */
export function paintRecent(painter: Painter, scene: Scene): void {
  const { recent, theme } = scene
  if (!recent) return
  for (let node = 0; node < recent.length; node++) {
    const strength = recent[node]!
    if (strength === 0 || !isShown(scene, node)) continue
    const [x, y, radius] = [screenX(scene, node), screenY(scene, node), nodeScreenRadius(scene, node)]
    if (!isInView(scene, x, y)) continue
    if (strength < 0) {
      painter.fillStyle = withAlpha(theme.background, -dustAlpha * strength)
      painter.beginPath()
      painter.arc(x, y, radius + 1, 0, 2 * Math.PI)
      painter.fill()
      continue
    }
    painter.fillStyle = withAlpha(theme.recent, 0.18 + 0.3 * strength)
    painter.beginPath()
    painter.arc(x, y, radius + glowReach, 0, 2 * Math.PI)
    painter.arc(x, y, radius, 0, 2 * Math.PI, true)
    painter.fill()
    painter.strokeStyle = withAlpha(theme.recent, 0.4 + 0.6 * strength)
    painter.lineWidth = 1.5
    strokeCircle(painter, x, y, radius + 2)
  }
}

/**
 * Rings around nodes that were just added or changed; each widens and fades once.
 * @returns whether one is still fading
 */
export function paintArrivals(painter: Painter, scene: Scene, still: boolean): boolean {
  const now = performance.now()
  for (const [node, since] of scene.arrivals) {
    const age = (now - since) / arrivalMs
    if (age >= 1 || still) {
      scene.arrivals.delete(node)
      continue
    }
    if (node >= scene.data.nodeCount || !isShown(scene, node)) continue
    const radius = nodeScreenRadius(scene, node)
    painter.strokeStyle = withAlpha(scene.theme.selection, 0.9 * (1 - age))
    painter.lineWidth = 2.5 * (1 - age) + 0.5
    strokeCircle(painter, screenX(scene, node), screenY(scene, node), radius + 3 + 22 * age)
  }
  return scene.arrivals.size > 0
}

/** A small square at the upper right of each pinned node, or of those for which `only` holds. */
export function paintPins(painter: Painter, scene: Scene, only?: (node: number) => boolean): void {
  const { theme } = scene
  for (const node of scene.pinned) {
    if (node >= scene.data.nodeCount || !isShown(scene, node) || only?.(node) === false) continue
    const offset = (nodeScreenRadius(scene, node) + 1) * Math.SQRT1_2
    const [x, y] = [screenX(scene, node) + offset, screenY(scene, node) - offset]
    painter.fillStyle = theme.background
    painter.fillRect(x - pinSize / 2 - 1, y - pinSize / 2 - 1, pinSize + 2, pinSize + 2)
    painter.fillStyle = theme.label
    painter.fillRect(x - pinSize / 2, y - pinSize / 2, pinSize, pinSize)
  }
}

/** Marks the nodes selected by a lasso. */
export function paintMarked(painter: Painter, scene: Scene): void {
  painter.strokeStyle = scene.theme.selection
  painter.lineWidth = 1.5
  for (const node of scene.emphasis.marked) {
    if (isShown(scene, node)) {
      strokeCircle(painter, screenX(scene, node), screenY(scene, node), nodeScreenRadius(scene, node) + 2.5)
    }
  }
}

function isInView(scene: Scene, x: number, y: number): boolean {
  return x > -30 && y > -30 && x < scene.width + 30 && y < scene.height + 30
}
