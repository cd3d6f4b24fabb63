import { labelAt, Occupancy, type PlacedLabel, placeLabel } from './label-placement.ts'
import type { Painter } from './paint.ts'
import { isShown, nodeScreenRadius, type Scene, screenX, screenY } from './scene.ts'

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

export type NameStyle = { font: string; color: string; alpha: number }

export function nameFont(scene: Scene, strong: boolean): string {
  return strong ? `600 13px ${scene.font.family}` : `500 12px ${scene.font.family}`
}

/** Chooses and draws the names of nodes. Remembers what it showed, so that names do not flicker. */
export class Names {
  #occupancy = new Occupancy(1, 1)
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
    this.#widths.clear()
  }

  /** Begins a picture with nothing on it. */
  begin(scene: Scene): void {
    this.#occupancy = new Occupancy(scene.width, scene.height)
    const ratio = scene.view.k / this.#placedScale
    if (ratio > freshScaleRatio || ratio < 1 / freshScaleRatio) {
      this.#sides.clear()
      this.#placedScale = scene.view.k
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
  chooseHubs(painter: Painter, scene: Scene, except: ReadonlySet<number>): PlacedLabel[] {
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
  choose(painter: Painter, scene: Scene, except: ReadonlySet<number>): PlacedLabel[] {
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

  /** Places names that matter now; `always` ones even where there is no room. */
  chooseAmong(
    painter: Painter,
    scene: Scene,
    nodes: Iterable<number>,
    always: ReadonlySet<number>,
  ): PlacedLabel[] {
    const placed: PlacedLabel[] = []
    for (const node of nodes) {
      painter.font = nameFont(scene, always.has(node))
      const label = this.#place(painter, scene, node, this.#sides.get(node) ?? 0)
      if (label) placed.push(label)
      else if (always.has(node)) {
        const width = this.#width(painter, scene.labels[node]!)
        const radius = nodeScreenRadius(scene, node)
        placed.push(labelAt(node, screenX(scene, node), screenY(scene, node), radius, width, 0))
      }
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
    for (const { node, x, y } of labels) painter.strokeText(scene.labels[node]!, x, y)
    painter.fillStyle = style.color
    for (const { node, x, y } of labels) painter.fillText(scene.labels[node]!, x, y)
    painter.globalAlpha = 1
  }

  #place(painter: Painter, scene: Scene, node: number, side: number): PlacedLabel | null {
    if (!isShown(scene, node)) return null
    const x = screenX(scene, node)
    const y = screenY(scene, node)
    if (!inView(scene, x, y)) return null
    const width = this.#width(painter, scene.labels[node]!)
    return placeLabel(this.#occupancy, node, x, y, nodeScreenRadius(scene, node), width, side)
  }

  #width(painter: Painter, text: string): number {
    const key = painter.font + text
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    const { width } = painter.measureText(text)
    this.#widths.set(key, width)
    return width
  }
}

function inView(scene: Scene, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x <= scene.width && y <= scene.height
}
