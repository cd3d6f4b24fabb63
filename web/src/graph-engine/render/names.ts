import { emptyEdgeShape, pointAlong } from '../model/geometry.ts'
import { cutLabel } from '../model/label.ts'
import type { Group } from './emphasis.ts'
import { allSides, labelAt, Occupancy, type PlacedLabel, placeLabel, plainSides } from './label-placement.ts'
import type { Painter } from './paint.ts'
import {
  isShown,
  namedFrom,
  nodeScreenRadius,
  type Scene,
  screenX,
  screenY,
  shapeSceneEdge,
} from './scene.ts'

/** Below this a node is too small to carry a name, unless it is one of the most important. */
const namedRadiusMin = 3.6
const areaPerName = 7500
/** Nodes of this size always carry a name if there is room. */
const largeRadius = 5
const namesAtAllMax = 220
const areaPerImportantName = 26_000
/** Hubs lie amid their neighbours: their names may cover smaller nodes. */
const areaPerHub = 48_000
const nodesPerHub = 25
const hubScaleMax = 0.7
/** Zooming by more than this places all names anew; until then they keep their places. */
const freshScaleRatio = 1.2
const haloWidth = 3.5
/** Edges are kept clear by boxes of this size along them. */
const edgeBoxSize = 6

/** What is needed to measure a text. */
type Measure = { font: string; measureText(text: string): { width: number } }

export type NameStyle = { font: string; color: string; alpha: number }

export function nameFont(scene: Scene, strong: boolean): string {
  return strong ? `600 13px ${scene.font.family}` : `500 12px ${scene.font.family}`
}

/** Chooses and draws the names of nodes. Remembers what it showed, so that names do not flicker. */
export class Names {
  #occupancy = new Occupancy(1, 1)
  /** Edges of a path: names go across them only where there is no other room. */
  #path: Occupancy | undefined
  #strongSides = new Map<number, number>()
  #sides = new Map<number, number>()
  #placedScale = 0
  readonly #widths = new Map<string, number>()

  /** What is taken by nodes and names, for whoever writes next. */
  get occupancy(): Occupancy {
    return this.#occupancy
  }

  /** Places all names anew next time, whatever was shown before. */
  forget(): void {
    this.#sides.clear()
    this.#strongSides.clear()
    this.#widths.clear()
  }

  /** Begins a picture with nothing on it. */
  begin(scene: Scene): void {
    this.#occupancy = new Occupancy(scene.width, scene.height)
    this.#path = undefined
    const ratio = scene.view.k / this.#placedScale
    if (ratio > freshScaleRatio || ratio < 1 / freshScaleRatio) {
      this.#sides.clear()
      this.#strongSides.clear()
      this.#placedScale = scene.view.k
    }
  }

  /** The stations of a path take their room, and its edges are kept clear as far as that goes. */
  keepOffPath(scene: Scene, { nodes, edges }: Group): void {
    this.keepOffNodes(scene, nodes)
    this.#path = new Occupancy(scene.width, scene.height)
    const shape = emptyEdgeShape()
    for (const edge of edges) {
      shapeSceneEdge(scene, edge, shape)
      const steps = Math.ceil(Math.hypot(shape.x2 - shape.x1, shape.y2 - shape.y1) / edgeBoxSize)
      for (let step = 0; step <= steps; step++) {
        const [x, y] = pointAlong(shape, step / steps)
        if (inView(scene, x, y)) this.#path.take(x, y, x, y)
      }
    }
  }

  /** Nodes large enough to be seen take their room; of a group only its own. */
  keepOffNodes(scene: Scene, group: ReadonlySet<number> | null): void {
    for (const node of group ?? scene.byImportance) {
      const radius = nodeScreenRadius(scene, node)
      if (radius < namedRadiusMin || !isShown(scene, node)) continue
      const x = screenX(scene, node)
      const y = screenY(scene, node)
      if (!inView(scene, x, y)) continue
      const half = radius * 0.75
      this.#occupancy.take(x - half, y - half, x + half, y + half)
    }
  }

  /** Names of the most important nodes, which only have to keep off each other. */
  chooseHubs(painter: Measure, scene: Scene, except: ReadonlySet<number>): PlacedLabel[] {
    painter.font = nameFont(scene, false)
    if (scene.view.k > hubScaleMax) return []
    const hubsMax = Math.floor(
      Math.min((scene.width * scene.height) / areaPerHub, scene.data.nodeCount / nodesPerHub),
    )
    const placed: PlacedLabel[] = []
    for (const node of scene.byImportance.subarray(0, 4 * hubsMax)) {
      if (placed.length >= hubsMax) break
      if (except.has(node)) continue
      const label = this.#place(painter, scene, node, 0)
      if (label) placed.push(label)
    }
    return placed
  }

  /** Places names by importance as far as there is room, without those in `except`. */
  choose(painter: Measure, scene: Scene, except: ReadonlySet<number>): PlacedLabel[] {
    const area = scene.width * scene.height
    const namesMax = Math.ceil(area / areaPerName)
    const importantMax = Math.ceil(area / areaPerImportantName)
    const placed: PlacedLabel[] = []
    const before = this.#sides
    this.#sides = new Map()
    painter.font = nameFont(scene, false)
    const attempt = (node: number, side: number) => {
      const label = this.#place(painter, scene, node, side)
      if (!label) return
      this.#sides.set(node, label.side)
      placed.push(label)
    }
    for (const [node, side] of before)
      if (!except.has(node) && placed.length < namesAtAllMax) attempt(node, side)
    for (const node of scene.byImportance) {
      if (placed.length >= namesAtAllMax) break
      if (placed.length >= namesMax && nodeScreenRadius(scene, node) < largeRadius) continue
      if (before.has(node) || except.has(node)) continue
      if (placed.length >= importantMax && nodeScreenRadius(scene, node) < namedRadiusMin) continue
      attempt(node, 0)
    }
    return placed
  }

  /** Names of what surrounds a hovered node, as far as there is room. */
  chooseAmong(painter: Measure, scene: Scene, nodes: Iterable<number>): PlacedLabel[] {
    painter.font = nameFont(scene, false)
    const placed: PlacedLabel[] = []
    for (const node of nodes) {
      const label = this.#place(painter, scene, node, this.#sides.get(node) ?? 0)
      if (label) placed.push(label)
    }
    return placed
  }

  /** Names that matter most, before all others; those of `always` even where there is no room. */
  chooseStrong(
    painter: Measure,
    scene: Scene,
    nodes: Iterable<number>,
    always: ReadonlySet<number>,
  ): PlacedLabel[] {
    painter.font = nameFont(scene, true)
    const before = this.#strongSides
    this.#strongSides = new Map()
    const placed: PlacedLabel[] = []
    for (const node of nodes) {
      const side = before.get(node) ?? this.#sides.get(node) ?? 0
      const label =
        (this.#path && this.#place(painter, scene, node, side, allSides, this.#path)) ??
        this.#place(painter, scene, node, side, allSides) ??
        (always.has(node) ? this.#placeAnyway(painter, scene, node) : null)
      if (!label) continue
      this.#strongSides.set(node, label.side)
      placed.push(label)
    }
    return placed
  }

  paint(painter: Painter, scene: Scene, labels: readonly PlacedLabel[], style: NameStyle): void {
    painter.font = style.font
    painter.textAlign = 'center'
    painter.textBaseline = 'middle'
    painter.lineJoin = 'round'
    painter.lineWidth = haloWidth
    painter.globalAlpha = style.alpha
    painter.strokeStyle = scene.theme.background
    for (const { node, x, y } of labels) painter.strokeText(drawnName(scene, node), x, y)
    painter.fillStyle = style.color
    for (const { node, x, y } of labels) painter.fillText(drawnName(scene, node), x, y)
    painter.globalAlpha = 1
  }

  #placeAnyway(painter: Measure, scene: Scene, node: number): PlacedLabel {
    const width = this.#width(painter, drawnName(scene, node))
    return labelAt(node, screenX(scene, node), screenY(scene, node), namedFrom(scene, node), width, 0)
  }

  #place(
    painter: Measure,
    scene: Scene,
    node: number,
    side: number,
    sides = plainSides,
    avoid?: Occupancy,
  ): PlacedLabel | null {
    if (!isShown(scene, node)) return null
    const x = screenX(scene, node)
    const y = screenY(scene, node)
    if (!inView(scene, x, y)) return null
    const width = this.#width(painter, drawnName(scene, node))
    return placeLabel(this.#occupancy, node, x, y, namedFrom(scene, node), width, side, sides, avoid)
  }

  #width(painter: Measure, text: string): number {
    const key = painter.font + text
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    const { width } = painter.measureText(text)
    this.#widths.set(key, width)
    return width
  }
}

/** The name as it is written. */
export function drawnName(scene: Scene, node: number): string {
  return cutLabel(scene.labels[node]!, scene.types[scene.data.color[node]!] ?? '')
}

function inView(scene: Scene, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x <= scene.width && y <= scene.height
}
