import { withAlpha } from '../model/colors.ts'
import { edgesAt, type Group, groupOf } from './emphasis.ts'
import {
  coverEdges,
  hoverEdgeWidth,
  paintEdgesOf,
  paintHovered,
  paintPath,
  paintSceneNode,
  paintSelection,
  paintStation,
} from './emphasis-2d.ts'
import { paintArrivals, paintMarked, paintPins, paintRecent } from './marks-2d.ts'
import type { Painter } from './paint.ts'
import { paintRegions } from './regions-2d.ts'
import { RingFlight } from './ring-2d.ts'
import { isShown, nodeScreenRadius, type Scene, screenX, screenY } from './scene.ts'
import { TextLayer } from './text-layer.ts'

const fadeMs = 130
/** Opacity of the regions under a ring. */
const regionsUnderRing = 0.35

/**
 * The upper canvas: names, selection, the ring and emphasis. To dim, it covers the lower canvas with a
 * wash of the background colour and redraws the emphasised part on top, so a hover costs the same for a
 * graph of any size.
 */
export class Overlay {
  readonly texts = new TextLayer()
  readonly ring = new RingFlight()
  readonly #canvas: OffscreenCanvas
  readonly #painter: Painter
  #group: Group | null = null
  /** How far the group has faded in, 0 to 1. */
  #level = 0
  #drawnAt = 0

  constructor(canvas: OffscreenCanvas) {
    this.#canvas = canvas
    const painter = canvas.getContext('2d')
    if (!painter) throw new Error('Canvas 2D is not available')
    this.#painter = painter
  }

  resize(scene: Scene): void {
    this.#canvas.width = Math.max(1, Math.round(scene.width * scene.pixelRatio))
    this.#canvas.height = Math.max(1, Math.round(scene.height * scene.pixelRatio))
    this.texts.invalidate()
  }

  /**
   * @param still no fading
   * @returns whether something is still moving
   */
  draw(flat: Scene, still: boolean): boolean {
    const painter = this.#painter
    painter.setTransform(flat.pixelRatio, 0, 0, flat.pixelRatio, 0, 0)
    painter.clearRect(0, 0, flat.width, flat.height)
    const flies = this.ring.step(flat.ring, still)
    const scene = this.ring.level > 0 ? this.ring.sceneOf(flat) : flat
    const isRing = this.ring.level > 0
    const fades = this.#fade(isRing && flat.ring ? null : groupOf(scene), still)
    const group = this.#group
    paintRecent(painter, scene)
    paintPins(painter, scene)
    this.#wash(scene, Math.max(this.#level, this.ring.level))
    const edges = this.#strong(scene, group, isRing)
    paintMarked(painter, scene)
    paintSelection(painter, scene)
    if (scene.emphasis.start >= 0) paintStation(painter, scene, scene.emphasis.start, 1)
    const ringNodes = isRing && flat.ring ? this.ring.nodes() : null
    this.#pins(scene, group, ringNodes)
    const arrives = paintArrivals(painter, scene, still)
    const focus = { group, ring: ringNodes, edges }
    const level = Math.max(this.#level, this.ring.level)
    // Nodes on their way to the ring do not displace names.
    if (flies && flat.ring) this.texts.invalidate()
    const waits = this.texts.prepare(painter, scene, focus)
    this.texts.paint(painter, scene, focus, level)
    this.#more(scene)
    return flies || fades || arrives || waits
  }

  #wash(scene: Scene, level: number): void {
    if (level === 0) return
    const painter = this.#painter
    painter.fillStyle = withAlpha(scene.theme.background, scene.theme.wash * level)
    painter.fillRect(0, 0, scene.width, scene.height)
    if (!scene.plan) paintRegions(painter, scene, regionsUnderRing * level)
  }

  /** Draws the pins of the emphasised part again, above its nodes. */
  #pins(scene: Scene, group: Group | null, ringNodes: readonly number[] | null): void {
    const { selected, hovered } = scene.emphasis
    const bright = new Set([...(ringNodes ?? group?.nodes ?? []), selected, hovered])
    paintPins(this.#painter, scene, (node) => bright.has(node))
  }

  /** Draws the emphasised part; returns the edges whose names are drawn. */
  #strong(scene: Scene, group: Group | null, isRing: boolean): readonly number[] {
    const painter = this.#painter
    const { selected, hovered } = scene.emphasis
    if (isRing) {
      const edges = this.ring.edges(scene)
      this.ring.paint(painter, scene, edges)
      if (hovered >= 0 && isShown(scene, hovered)) paintHovered(painter, scene, hovered, 1)
      return edges
    }
    if (group) {
      this.#paintGroup(scene, group)
      return group.edges
    }
    const edges = selected >= 0 && isShown(scene, selected) ? edgesAt(scene, selected) : []
    paintEdgesOf(painter, scene, selected, edges, hoverEdgeWidth(scene))
    coverEdges(painter, scene, edges)
    return edges
  }

  #paintGroup(scene: Scene, group: Group): void {
    const painter = this.#painter
    painter.globalAlpha = this.#level
    if (group.kind === 'path') paintPath(painter, scene, group.edges)
    else {
      if (group.kind === 'hover')
        paintEdgesOf(painter, scene, group.centre, group.edges, hoverEdgeWidth(scene))
      for (const node of group.nodes) paintSceneNode(painter, scene, node)
    }
    painter.globalAlpha = 1
    const { hovered } = scene.emphasis
    if (hovered >= 0 && group.kind === 'hover') paintHovered(painter, scene, hovered, this.#level)
  }

  /** Advances the fade towards the wanted group; a previous group stays until it has faded out. */
  #fade(wanted: Group | null, still: boolean): boolean {
    const now = performance.now()
    // After a pause the first step is one frame long, not as long as the pause.
    const step = still ? 1 : Math.min(24, now - this.#drawnAt) / fadeMs
    this.#drawnAt = now
    if (wanted) this.#group = wanted
    this.#level = Math.min(1, Math.max(0, this.#level + (wanted ? step : -step)))
    if (this.#level === 0) this.#group = null
    return this.#level !== (wanted ? 1 : 0)
  }

  /** Draws the number of neighbours that do not fit on the ring. */
  #more(scene: Scene): void {
    const { selected } = scene.emphasis
    const more = this.ring.more()
    if (more === 0 || selected < 0 || this.ring.level < 1) return
    const painter = this.#painter
    painter.font = `600 12px ${scene.font.family}`
    painter.textAlign = 'center'
    painter.textBaseline = 'middle'
    painter.lineWidth = 4
    painter.strokeStyle = scene.theme.background
    painter.fillStyle = scene.theme.labelMuted
    const [x, y] = [
      screenX(scene, selected),
      screenY(scene, selected) - nodeScreenRadius(scene, selected) - 22,
    ]
    painter.strokeText(`+${more}`, x, y)
    painter.fillText(`+${more}`, x, y)
  }
}
