import { mixColors, withAlpha } from '../model/colors.ts'
import { emptyEdgeShape } from '../model/geometry.ts'
import { edgesAt, type Group, groupOf } from './emphasis.ts'
import { Names, nameFont } from './names.ts'
import { fillDisc, type Painter, paintNode, traceArrow, traceEdge } from './paint.ts'
import { paintRelationNames, pickedRelationNamesScale, relationNamesScale } from './relation-names.ts'
import {
  arrowLength,
  detailScale,
  edgeWidth,
  isShown,
  nodeScreenRadius,
  type Scene,
  screenX,
  screenY,
  selectionGap,
  shapeSceneEdge,
} from './scene.ts'

const fadeMs = 130
const selectedRadiusMin = 4
const noNodes: ReadonlySet<number> = new Set()

/**
 * The upper canvas: names, selection, and emphasis. Dimming is a wash of the background colour over the
 * lower canvas with what stands out drawn again on top, so a hover costs the same at any size of graph.
 */
export class Overlay {
  readonly #canvas: OffscreenCanvas
  readonly #painter: Painter
  readonly #names = new Names()
  readonly #shape = emptyEdgeShape()
  #group: Group | null = null
  /** How far the group has been faded in, 0 to 1. */
  #level = 0
  #drawnAt = 0

  constructor(canvas: OffscreenCanvas) {
    this.#canvas = canvas
    const painter = canvas.getContext('2d')
    if (!painter) throw new Error('Canvas 2D is not available')
    this.#painter = painter
  }

  /** Chooses names anew: at rest they must not depend on how the layout got there. */
  forgetNames(): void {
    this.#names.forget()
  }

  resize(scene: Scene): void {
    this.#canvas.width = Math.max(1, Math.round(scene.width * scene.pixelRatio))
    this.#canvas.height = Math.max(1, Math.round(scene.height * scene.pixelRatio))
  }

  /**
   * @param still no fading
   * @returns whether a fade is still going on
   */
  draw(scene: Scene, still: boolean): boolean {
    const painter = this.#painter
    painter.setTransform(scene.pixelRatio, 0, 0, scene.pixelRatio, 0, 0)
    painter.clearRect(0, 0, scene.width, scene.height)
    const fading = this.#fade(groupOf(scene), still)
    const group = this.#group
    if (group) {
      painter.fillStyle = withAlpha(scene.theme.background, scene.theme.wash * this.#level)
      painter.fillRect(0, 0, scene.width, scene.height)
    }
    const { selected } = scene.emphasis
    const selectedEdges = selected >= 0 && isShown(scene, selected) ? edgesAt(scene, selected) : []
    if (!group) this.#edges(scene, selectedEdges, scene.theme.edgeStrong, 1.15)
    if (group) this.#paintGroup(scene, group)
    else for (const edge of selectedEdges) this.#ends(scene, edge)
    this.#selection(scene)
    this.#text(scene, group, selectedEdges)
    return fading
  }

  /** Steps the fade towards the wanted group; a group that is left stays until it has faded out. */
  #fade(wanted: Group | null, still: boolean): boolean {
    const now = performance.now()
    // After a pause the first step is that of one frame, not of the pause.
    const step = still ? 1 : Math.min(24, now - this.#drawnAt) / fadeMs
    this.#drawnAt = now
    if (wanted) this.#group = wanted
    this.#level = Math.min(1, Math.max(0, this.#level + (wanted ? step : -step)))
    if (this.#level === 0) this.#group = null
    return this.#level !== (wanted ? 1 : 0)
  }

  #paintGroup(scene: Scene, group: Group): void {
    const painter = this.#painter
    const { theme, data } = scene
    painter.globalAlpha = this.#level
    if (group.kind === 'path') this.#edges(scene, group.edges, theme.path, 2.4)
    else {
      const own = scene.palette[data.color[scene.emphasis.hovered] ?? -1]?.color ?? theme.edgeStrong
      this.#edges(scene, group.edges, mixColors(theme.edgeStrong, own, 0.55), 1.3)
    }
    for (const node of group.nodes) this.#node(scene, node)
    painter.globalAlpha = 1
    const { hovered } = scene.emphasis
    if (hovered < 0 || group.kind !== 'hover') return
    painter.fillStyle = withAlpha(scene.palette[data.color[hovered]!]!.color, 0.2 * this.#level)
    fillDisc(painter, screenX(scene, hovered), screenY(scene, hovered), nodeScreenRadius(scene, hovered) + 7)
    this.#node(scene, hovered)
  }

  #edges(scene: Scene, edges: readonly number[], color: string, widthFactor: number): void {
    if (edges.length === 0) return
    const painter = this.#painter
    painter.strokeStyle = color
    painter.fillStyle = color
    painter.lineWidth = edgeWidth(scene.view.k) * widthFactor
    painter.lineCap = 'round'
    painter.beginPath()
    for (const edge of edges) {
      shapeSceneEdge(scene, edge, this.#shape)
      traceEdge(painter, this.#shape)
    }
    painter.stroke()
    if (scene.view.k < detailScale / 2) return
    painter.beginPath()
    for (const edge of edges) {
      shapeSceneEdge(scene, edge, this.#shape)
      traceArrow(
        painter,
        this.#shape,
        Math.max(5, arrowLength(scene.view.k)) * Math.min(1.4, Math.sqrt(widthFactor) * 1.1),
      )
    }
    painter.fill()
  }

  #ends(scene: Scene, edge: number): void {
    this.#node(scene, scene.data.source[edge]!)
    this.#node(scene, scene.data.target[edge]!)
  }

  #node(scene: Scene, node: number): void {
    if (!isShown(scene, node)) return
    const { data, theme } = scene
    const radius = nodeScreenRadius(scene, node)
    const color = scene.palette[data.color[node]!]!.color
    paintNode(this.#painter, screenX(scene, node), screenY(scene, node), radius, color, theme.background)
  }

  #selection(scene: Scene): void {
    const { selected } = scene.emphasis
    if (selected < 0 || !isShown(scene, selected)) return
    const painter = this.#painter
    const x = screenX(scene, selected)
    const y = screenY(scene, selected)
    // In a large graph nodes are specks: the one inside of the ring must still be seen.
    const radius = Math.max(selectedRadiusMin, nodeScreenRadius(scene, selected))
    painter.fillStyle = withAlpha(scene.theme.selection, 0.16)
    fillDisc(painter, x, y, radius + selectionGap + 6)
    painter.fillStyle = scene.theme.background
    fillDisc(painter, x, y, radius + selectionGap)
    painter.fillStyle = scene.palette[scene.data.color[selected]!]!.color
    fillDisc(painter, x, y, radius)
    painter.strokeStyle = scene.theme.selection
    painter.lineWidth = 2.5
    painter.beginPath()
    painter.arc(x, y, radius + selectionGap, 0, 2 * Math.PI)
    painter.stroke()
  }

  #text(scene: Scene, group: Group | null, selectedEdges: readonly number[]): void {
    const painter = this.#painter
    const names = this.#names
    const { hovered, selected } = scene.emphasis
    const { theme } = scene
    const path = group?.kind === 'path' ? [...group.nodes] : []
    const shown = (node: number | undefined) => node !== undefined && node >= 0 && isShown(scene, node)
    // The ends of a path say what it is; its other stations may go without where it is crowded.
    const always = new Set([hovered, selected, path[0]!, path.at(-1)!].filter(shown))
    const named = new Set([...always, ...path])
    names.begin(scene)
    if (group?.kind === 'path') names.keepOffPath(scene, group)
    const strong = names.chooseStrong(painter, scene, named, always)
    const hubs = group ? [] : names.chooseHubs(painter, scene, always)
    names.keepOffNodes(scene, group?.nodes ?? null)
    const others = [...(group?.nodes ?? noNodes)].filter((node) => !named.has(node))
    const bright = names.chooseAmong(painter, scene, others.slice(0, 200))
    for (const node of [...others, ...hubs.map(({ node }) => node)]) named.add(node)
    const rest = [...hubs, ...names.choose(painter, scene, named)]

    const plain = { font: nameFont(scene, false), color: theme.label }
    if (this.#level < 1) names.paint(painter, scene, rest, { ...plain, alpha: 1 - this.#level })
    const scale = scene.view.k
    const picked = group ? group.edges : selectedEdges
    if (picked.length > 0 && scale >= pickedRelationNamesScale) {
      paintRelationNames(painter, scene, names.occupancy, picked, theme.edgeStrong)
    }
    if (!group && scale >= relationNamesScale) {
      paintRelationNames(painter, scene, names.occupancy, scene.edgeOrder, theme.labelMuted)
    }
    names.paint(painter, scene, bright, { ...plain, alpha: 1 })
    names.paint(painter, scene, strong, { font: nameFont(scene, true), color: theme.label, alpha: 1 })
  }
}
