import { cutText } from '../model/label.ts'
import type { Group } from './emphasis.ts'
import { levelOf } from './level.ts'
import { Names, type NodeName, paintNames, placeOfName } from './node-names.ts'
import type { Painter } from './paint.ts'
import { paintRoomNames } from './paint-plan.ts'
import { paintRegionNames, placeRegionNames, type RegionName } from './region-names.ts'
import {
  chooseRelationNames,
  nearRelations,
  paintRelationNames,
  pickedRelationNamesScale,
  type RelationName,
} from './relation-names.ts'
import { isShown, type Scene, screenX, screenY } from './scene.ts'

/** Zooming by more than this factor places all names again; until then they keep their positions. */
const freshScaleRatio = 1.2
const restMs = 160
const noteScaleMin = 1.35
const noteLengthMax = 44
/** Below the middle of the name. Higher up, a note would begin in a cell of the map that its own name has taken. */
const noteTop = 13
const noteBottom = 21
/** The side of a name: see `plainSides`. */
const above = 1
const amongMax = 200

/** The picked elements of the scene, whose names come first. */
export type Focus = { group: Group | null; ring: readonly number[] | null; edges: readonly number[] }

type Placed = {
  regions: RegionName[]
  strong: NodeName[]
  bright: NodeName[]
  rest: NodeName[]
  picked: RelationName[]
  near: RelationName[]
  notes: { name: NodeName; text: string }[]
}

const nothing: Placed = { regions: [], strong: [], bright: [], rest: [], picked: [], near: [], notes: [] }

/** All text: placed once per gesture, then shifted with the view until it rests. */
export class TextLayer {
  readonly #names = new Names()
  #placed: Placed = nothing
  #key = ''
  #view = { k: 0, x: 0, y: 0 }
  #seen = { k: 0, x: 0, y: 0 }
  #movedAt = 0
  #stale = true
  #shown = false

  /** Called when the font is loaded, or the fallback is used. */
  show(): void {
    this.#shown = true
    this.forget()
  }

  /** Called after a change of the scene other than of the view. */
  invalidate(): void {
    this.#stale = true
  }

  /** Places all text from scratch next time, ignoring the text shown before. */
  forget(): void {
    this.#names.forget()
    this.#stale = true
  }

  /**
   * Ensures that names are in the right place.
   * @returns whether they must be placed again once the view rests
   */
  prepare(painter: Painter, scene: Scene, focus: Focus): boolean {
    if (!this.#shown) return false
    const now = performance.now()
    const { view } = scene
    const moved = view.k !== this.#seen.k || view.x !== this.#seen.x || view.y !== this.#seen.y
    if (moved) this.#movedAt = now
    this.#seen = view
    const { selected, start } = scene.emphasis
    const key = `${focus.group?.key ?? ''} ${selected} ${start} ${focus.ring?.join() ?? ''} ${levelOf(scene)}`
    const ratio = view.k / (this.#view.k || 1)
    const isOff = view.k !== this.#view.k || view.x !== this.#view.x || view.y !== this.#view.y
    const rests = now - this.#movedAt >= restMs
    const jumped = ratio > freshScaleRatio || ratio < 1 / freshScaleRatio
    if (this.#stale || key !== this.#key || jumped || (isOff && rests)) {
      this.#place(painter, scene, focus)
      this.#key = key
      this.#view = view
      this.#stale = false
      return false
    }
    return isOff
  }

  #place(painter: Painter, scene: Scene, { group, ring, edges }: Focus): void {
    const names = this.#names
    const { hovered, selected, start } = scene.emphasis
    const shown = (node: number | undefined) => node !== undefined && node >= 0 && isShown(scene, node)
    const path = group?.kind === 'path' ? [...group.nodes] : []
    // The ends of a path identify it; in a crowd, names of the nodes between them can be omitted.
    const always = new Set([hovered, selected, start, path[0]!, path.at(-1)!].filter(shown))
    const important = new Set([...always, ...path])
    names.begin(scene)
    names.keepOffWalls(scene)
    if (ring) names.keepOffPicked(scene, { nodes: new Set(ring), edges })
    else if (group?.kind === 'path') names.keepOffPicked(scene, group)
    const isCalm = !group && !ring
    if (isCalm && important.size > 0) names.avoidNodes(scene)
    const strong = names.chooseStrong(painter, scene, important, always)
    const among = [...(ring ?? group?.nodes ?? [])].filter((node) => !important.has(node)).slice(0, amongMax)
    const nameRegions = () =>
      scene.plan ? [] : placeRegionNames(painter, scene, names.occupancy, names.nodeMap(scene))
    // Behind a ring they are the background.
    const regionsFirst = ring ? undefined : nameRegions()
    const picked =
      ring || (edges.length > 0 && (group?.kind === 'path' || scene.view.k >= pickedRelationNamesScale))
        ? () => chooseRelationNames(painter, scene, names.occupancy, edges, group?.kind === 'path')
        : () => []
    if (isCalm) names.keepOffNodes(scene, null)
    else if (group) names.keepOffNodes(scene, group.nodes)
    const outward = ring ? (node: number) => sidesAway(scene, node, selected) : undefined
    const bright = names.chooseAmong(painter, scene, among, outward)
    const pickedNames = picked()
    const regions = regionsFirst ?? nameRegions()
    const except = new Set([...important, ...among])
    const rest = ring || group ? [] : names.choose(painter, scene, except)
    const notes = this.#chooseNotes(painter, scene, [...strong, ...bright, ...rest])
    const near =
      isCalm && !scene.plan ? chooseRelationNames(painter, scene, names.occupancy, nearRelations(scene)) : []
    this.#placed = { regions, strong, bright, rest, picked: pickedNames, near, notes }
  }

  #chooseNotes(painter: Painter, scene: Scene, names: readonly NodeName[]): Placed['notes'] {
    if (scene.view.k < noteScaleMin || scene.notes.size === 0) return []
    painter.font = noteFont(scene)
    return names.flatMap((name) => {
      const note = scene.notes.get(name.node)
      // Below a name above its node, it would lie on the node.
      if (!note || name.side === above) return []
      const text = cutText(note, noteLengthMax)
      const { x, y } = placeOfName(scene, name)
      const half = painter.measureText(text).width / 2
      const box = [x - half, y + noteTop, x + half, y + noteBottom] as const
      if (!this.#names.occupancy.isFree(...box)) return []
      this.#names.occupancy.take(...box)
      return [{ name, text }]
    })
  }

  /** @param level how far the group or the ring has faded in */
  paint(painter: Painter, scene: Scene, focus: Focus, level: number): void {
    if (!this.#shown) return
    const { regions, strong, bright, rest, picked, near, notes } = this.#placed
    const { theme } = scene
    if (scene.plan) paintRoomNames(painter, scene, scene.plan)
    painter.globalAlpha = 1 - 0.55 * level
    paintRegionNames(painter, scene, regions)
    painter.globalAlpha = 1
    paintNames(painter, scene, rest, 1 - level)
    paintRelationNames(painter, scene, near, theme.labelMuted, 1 - level)
    const pickedColor = focus.group?.kind === 'path' ? theme.path : theme.edgeStrong
    paintRelationNames(painter, scene, picked, pickedColor)
    paintNotes(painter, scene, notes)
    paintNames(painter, scene, bright, focus.group || focus.ring ? Math.max(0.2, level) : 1)
    paintNames(painter, scene, strong)
  }
}

/** The sides of a node facing away from another node that it has an edge to. */
function sidesAway(scene: Scene, node: number, from: number): readonly number[] {
  const dx = screenX(scene, node) - screenX(scene, from)
  const dy = screenY(scene, node) - screenY(scene, from)
  const beside = dx > 0 ? 2 : 3
  const beyond = dy > 0 ? 0 : 1
  return Math.abs(dx) > 2.5 * Math.abs(dy) ? [0, beside, 1] : [beyond, beside, 1 - beyond]
}

function noteFont(scene: Scene): string {
  return `400 11px ${scene.font.family}`
}

function paintNotes(painter: Painter, scene: Scene, notes: Placed['notes']): void {
  painter.font = noteFont(scene)
  painter.textAlign = 'center'
  painter.textBaseline = 'middle'
  painter.lineJoin = 'round'
  painter.lineWidth = 3.5
  painter.strokeStyle = scene.theme.background
  painter.fillStyle = scene.theme.labelMuted
  for (const { name, text } of notes) {
    const { x, y } = placeOfName(scene, name)
    painter.strokeText(text, x, y + 15)
    painter.fillText(text, x, y + 15)
  }
}
