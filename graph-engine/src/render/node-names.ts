import { withAlpha } from '../model/colors.ts'
import { emptyEdgeShape, pointAlong } from '../model/geometry.ts'
import { cutLabel, cutText } from '../model/label.ts'
import type { Group } from './emphasis.ts'
import {
  allSides,
  labelAt,
  Occupancy,
  type PlacedLabel,
  placeLabel,
  plainSides,
  startingWith,
} from './label-placement.ts'
import { levelOf, nameLengthFor } from './level.ts'
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

/** How a name is drawn: important ones, hubs, and the rest. */
export type NameKind = 'strong' | 'hub' | 'plain'

/**
 * A name beside its node. `dx` is how far it was moved sideways to stay in view; `covers`, whether it lies on other
 * nodes.
 */
export type NodeName = {
  node: number
  side: number
  text: string
  kind: NameKind
  width: number
  dx: number
  covers: boolean
}

/** The part of a canvas context needed to measure text. */
type Measure = { font: string; measureText(text: string): { width: number } }

const hubDegreeMin = 8
/** Below these radii a node is too small for a name. */
const radiusMin = { far: 5.2, middle: 3.6, near: 3.6 } as const
const areaPerName = 6500
const namesMax = 220
const haloWidth = 3.5
/** Size of the boxes that keep names off edges. */
const edgeBoxSize = 3
const plainAlpha = 0.82
/** Opacity of the plate below a name that lies on other nodes. */
const plateAlpha = 0.85
/** Height of the line with a room's name, in pixels. */
const roomHead = 24
/** Least distance of a name's end from a wall, in pixels. */
const wallGap = 4
/** Below and to the right of a dot. */
const planSides: readonly number[] = [0, 2]

export function nameFont(scene: Scene, kind: NameKind): string {
  const { family } = scene.font
  const near = levelOf(scene) === 'near'
  if (kind === 'strong') return `600 13px ${family}`
  if (kind === 'hub') return `600 ${near ? 13 : 12.5}px ${family}`
  return `500 ${near ? 13 : 11.5}px ${family}`
}

/** The name as drawn; important ones are cut later. */
export function drawnName(scene: Scene, node: number, whole: boolean): string {
  const name = scene.labels[node]!
  const max = nameLengthFor(scene.view.k, levelOf(scene))
  if (whole) return cutText(name, Math.max(wholeLengthMax, max))
  return max === cutLengthMin
    ? cutLabel(name, scene.types[scene.data.color[node]!] ?? '')
    : cutText(name, max)
}

const wholeLengthMax = 40
const cutLengthMin = 15

/** Chooses positions for node names. Remembers the side of each, so that names do not jump. */
export class Names {
  #occupancy = new Occupancy(1, 1)
  /** Edges or nodes that names cross only if there is no other room. */
  #avoided: Occupancy | undefined
  #avoidsNodes = false
  #sides = new Map<number, number>()
  #sidesBefore = new Map<number, number>()
  readonly #widths = new Map<string, number>()

  /** Space occupied by panels, nodes and names, for other texts. */
  get occupancy(): Occupancy {
    return this.#occupancy
  }

  /** Places all names from scratch next time, ignoring the names shown before. */
  forget(): void {
    this.#sides.clear()
    this.#widths.clear()
  }

  /** Starts a picture with nothing occupied but the panels. */
  begin({ width, height, padding }: Scene): void {
    this.#occupancy = new Occupancy(width, height)
    this.#avoided = undefined
    this.#avoidsNodes = false
    this.#sidesBefore = this.#sides
    this.#sides = new Map()
    const { left, top, right, bottom } = padding
    if (left > 0) this.#occupancy.take(0, 0, left, height)
    if (right > 0) this.#occupancy.take(width - right, 0, width, height)
    if (top > 0) this.#occupancy.take(0, 0, width, top)
    if (bottom > 0) this.#occupancy.take(0, height - bottom, width, height)
  }

  /** Marks walls and room names as occupied. */
  keepOffWalls({ plan, view }: Scene): void {
    for (const room of plan?.rooms ?? []) {
      const [left, top] = [room.x * view.k + view.x, room.y * view.k + view.y]
      const [right, bottom] = [left + room.width * view.k, top + room.height * view.k]
      this.#occupancy.take(left, top, right, top + roomHead)
      this.#occupancy.take(left - wallGap, top, left + wallGap, bottom)
      this.#occupancy.take(right - wallGap, top, right + wallGap, bottom)
      this.#occupancy.take(left, bottom, right, bottom)
    }
  }

  /** Marks picked nodes as occupied and keeps their edges clear where possible. */
  keepOffPicked(scene: Scene, { nodes, edges }: Pick<Group, 'nodes' | 'edges'>): void {
    this.keepOffNodes(scene, nodes)
    const map = new Occupancy(scene.width, scene.height)
    this.#avoided = map
    const shape = emptyEdgeShape()
    for (const edge of edges) {
      shapeSceneEdge(scene, edge, shape)
      const steps = Math.ceil(Math.hypot(shape.x2 - shape.x1, shape.y2 - shape.y1) / edgeBoxSize)
      for (let step = 0; step <= steps; step++) {
        const [x, y] = pointAlong(shape, step / steps)
        if (inView(scene, x, y)) map.take(x, y, x, y)
      }
    }
  }

  /** Keeps the most important names off all nodes where possible. */
  avoidNodes(scene: Scene): void {
    this.#avoided = this.nodeMap(scene)
    this.#avoidsNodes = true
  }

  /** Map of the nodes that are large enough to be visible; of all in a plan. */
  nodeMap(scene: Scene): Occupancy {
    const map = new Occupancy(scene.width, scene.height)
    this.keepOffNodes(scene, null, map)
    return map
  }

  /** Marks visible nodes as occupied; for a group, only its own. */
  keepOffNodes(scene: Scene, group: ReadonlySet<number> | null, map = this.#occupancy): void {
    for (const node of group ?? scene.byImportance) {
      const radius = nodeScreenRadius(scene, node)
      if ((radius < radiusMin.middle && !scene.plan) || !isShown(scene, node)) continue
      const x = screenX(scene, node)
      const y = screenY(scene, node)
      if (!inView(scene, x, y)) continue
      const part = radius * Math.SQRT1_2
      map.take(x - radius, y - part, x + radius, y + part)
      map.take(x - part, y - radius, x + part, y + radius)
    }
  }

  /** Places names by importance while there is room, except those in `except`. */
  choose(painter: Measure, scene: Scene, except: ReadonlySet<number>): NodeName[] {
    const level = levelOf(scene)
    const most = Math.min(namesMax, Math.ceil((scene.width * scene.height) / areaPerName))
    const hubsNamed = new Set(level === 'near' ? [] : (scene.regions?.hub ?? []))
    const placed: NodeName[] = []
    const attempt = (node: number) => {
      if (placed.length >= most || except.has(node)) return
      const isNamedType = scene.palette[scene.data.color[node]!]?.named === true
      if (nodeScreenRadius(scene, node) < radiusMin[level] && !isNamedType) return
      if (level === 'far' && hubsNamed.has(node)) return
      const kind = scene.data.degree(node) >= hubDegreeMin ? 'hub' : 'plain'
      const name = this.#place(painter, scene, node, kind)
      if (name) placed.push(name)
    }
    // Nodes that had names keep them; otherwise names would flicker.
    for (const node of this.#sidesBefore.keys()) if (node < scene.data.nodeCount) attempt(node)
    const named = new Set(placed.map(({ node }) => node))
    for (const node of scene.byImportance) {
      if (placed.length >= most) break
      if (!named.has(node)) attempt(node)
    }
    return placed
  }

  /** Names of the nodes around a node, while there is room. */
  chooseAmong(
    painter: Measure,
    scene: Scene,
    nodes: Iterable<number>,
    sidesOf?: (node: number) => readonly number[],
  ): NodeName[] {
    const placed: NodeName[] = []
    for (const node of nodes) {
      const name = this.#placeOff(painter, scene, node, 'plain', sidesOf?.(node))
      if (name) placed.push(name)
    }
    return placed
  }

  /** The most important names, before all others; those in `always` even without room. */
  chooseStrong(
    painter: Measure,
    scene: Scene,
    nodes: Iterable<number>,
    always: ReadonlySet<number>,
  ): NodeName[] {
    const placed: NodeName[] = []
    for (const node of nodes) {
      const name =
        this.#placeOff(painter, scene, node, 'strong', this.#sidesFor(node, allSides)) ??
        (always.has(node) ? this.#placeAnyway(painter, scene, node) : null)
      if (name) placed.push(name)
    }
    return placed
  }

  #sidesFor(node: number, sides: readonly number[]): readonly number[] {
    return startingWith(this.#sidesBefore.get(node), sides)
  }

  #placeAnyway(painter: Measure, scene: Scene, node: number): NodeName {
    const text = drawnName(scene, node, true)
    const width = this.#width(painter, scene, text, 'strong')
    return { node, side: 0, text, kind: 'strong', width, dx: 0, covers: this.#avoidsNodes }
  }

  /** Crosses what is to be avoided only if there is no other room. */
  #placeOff(
    painter: Measure,
    scene: Scene,
    node: number,
    kind: NameKind,
    sides?: readonly number[],
  ): NodeName | null {
    const clear = this.#avoided && this.#place(painter, scene, node, kind, sides, this.#avoided)
    if (clear) return clear
    const name = this.#place(painter, scene, node, kind, sides)
    return name && { ...name, covers: this.#avoidsNodes }
  }

  #place(
    painter: Measure,
    scene: Scene,
    node: number,
    kind: NameKind,
    sides = this.#sidesFor(node, scene.plan ? planSides : plainSides),
    avoid?: Occupancy,
  ): NodeName | null {
    if (!isShown(scene, node)) return null
    const x = screenX(scene, node)
    const y = screenY(scene, node)
    if (!inView(scene, x, y)) return null
    const text = drawnName(scene, node, kind === 'strong')
    const width = this.#width(painter, scene, text, kind)
    const radius = namedFrom(scene, node)
    const label = placeLabel(this.#occupancy, node, x, y, radius, width, sides, avoid)
    if (!label) return null
    this.#sides.set(node, label.side)
    const plain = labelAt(node, x, y, radius, width, label.side)
    return { node, side: label.side, text, kind, width, dx: label.x - plain.x, covers: false }
  }

  #width(painter: Measure, scene: Scene, text: string, kind: NameKind): number {
    const font = nameFont(scene, kind)
    const key = font + text
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    painter.font = font
    const { width } = painter.measureText(text)
    this.#widths.set(key, width)
    return width
  }
}

/** The current position of a name whose side was already chosen. */
export function placeOfName(scene: Scene, { node, side, width, dx }: NodeName): PlacedLabel {
  const label = labelAt(node, screenX(scene, node), screenY(scene, node), namedFrom(scene, node), width, side)
  return { ...label, x: label.x + dx }
}

export function paintNames(painter: Painter, scene: Scene, names: readonly NodeName[], alpha = 1): void {
  painter.textAlign = 'center'
  painter.textBaseline = 'middle'
  painter.lineJoin = 'round'
  painter.lineWidth = haloWidth
  painter.fillStyle = withAlpha(scene.theme.background, plateAlpha)
  for (const name of names) {
    if (!name.covers || !isShown(scene, name.node)) continue
    const { x, y } = placeOfName(scene, name)
    const [width, height] = [name.width + 8, 18]
    painter.beginPath()
    painter.roundRect(x - width / 2, y - height / 2, width, height, 4)
    painter.fill()
  }
  painter.strokeStyle = scene.theme.background
  painter.fillStyle = scene.theme.label
  for (const kind of ['plain', 'hub', 'strong'] as const) {
    const labels = names.filter((name) => name.kind === kind && isShown(scene, name.node))
    const places = labels.map((name) => placeOfName(scene, name))
    painter.font = nameFont(scene, kind)
    painter.globalAlpha = alpha
    for (const [i, { x, y }] of places.entries()) painter.strokeText(labels[i]!.text, x, y)
    painter.globalAlpha = alpha * (kind === 'plain' ? plainAlpha : 1)
    for (const [i, { x, y }] of places.entries()) painter.fillText(labels[i]!.text, x, y)
  }
  painter.globalAlpha = 1
}

function inView(scene: Scene, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x <= scene.width && y <= scene.height
}
