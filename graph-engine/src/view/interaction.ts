import { type Direction, nearestInDirection } from '../model/direction.ts'
import { screenRadius } from '../model/geometry.ts'
import type { GraphChange, GraphNode, GraphRegion } from '../types.ts'
import type { EventHub } from './events.ts'
import type { GraphStage } from './graph-stage.ts'
import { HoverCard } from './hover-card.ts'
import { RingView } from './ring-view.ts'
import { spokenNode, spokenStep } from './spoken.ts'
import type { Surface } from './surface.ts'

/** Up to this many nodes added at once are marked as arrivals; more count as a different graph. */
const arrivalsMax = 30

/** Handles hover, selection and path. */
export class Interaction {
  selectedId: string | null = null
  readonly ring: RingView
  readonly #surface: Surface
  readonly #stage: GraphStage
  readonly #events: EventHub
  readonly #hasRing: boolean
  readonly #card: HoverCard
  #hovered = -1
  #pathIds: readonly string[] = []
  #startId: string | null = null
  #markedIds: readonly string[] = []
  /** A path to bring into view once its nodes have positions. */
  #pathToShow = false

  /** The node from which a step of the keyboard leads to the selected one; else -1. */
  #steppedFrom = -1
  readonly #regionOf: (node: number) => GraphRegion | null

  constructor(
    surface: Surface,
    stage: GraphStage,
    events: EventHub,
    { hasRing, regionOf }: { hasRing: boolean; regionOf: (node: number) => GraphRegion | null },
  ) {
    this.#regionOf = regionOf
    this.#surface = surface
    this.#stage = stage
    this.#events = events
    this.#hasRing = hasRing
    this.ring = new RingView(stage)
    this.#card = new HoverCard((node) => this.#tellCard(node))
  }

  select(id: string | null): void {
    this.selectedId = id
    this.#announce()
    this.#emphasise()
    this.#showRing()
  }

  mark(ids: readonly string[]): void {
    this.#markedIds = [...ids]
    this.#emphasise()
  }

  markStart(id: string | null): void {
    this.#startId = id
    this.#emphasise()
    this.#showRing()
  }

  highlightPath(ids: readonly string[]): void {
    if (ids.join() === this.#pathIds.join()) return
    this.#pathIds = [...ids]
    this.#pathToShow = ids.length > 0
    this.#emphasise()
    this.#showRing()
    if (this.#pathToShow) this.#showPath()
    else if (!this.ring.open) this.#stage.leave()
  }

  /** Call after the layout moved nodes. */
  placed(): void {
    this.ring.place()
    if (this.#stage.resting) this.#showRing()
    this.#showPath()
  }

  /** Call after the free area changed: shows the same part of the graph in it. */
  areaChanged(animate: boolean): void {
    if (this.ring.open) this.ring.fit(animate)
    else if (this.#pathIds.length > 0) this.#flyToPath(animate)
  }

  /** Applies a change of the graph and keeps the interaction state that is still valid. */
  change(change: GraphChange, keepPositions: boolean, live: boolean): void {
    const { model } = this.#stage
    const hovered = model.nodes[this.#hovered]?.id
    const isSelected = () => this.selectedId !== null && model.indexOf.has(this.selectedId)
    const wasSelected = isSelected()
    const before = model.nodes.length
    const arrived = live ? this.#newcomers(change) : []
    this.#stage.update(change, keepPositions)
    this.#hovered = (hovered === undefined ? undefined : model.indexOf.get(hovered)) ?? -1
    if (wasSelected && !isSelected()) this.pick(-1)
    else if (wasSelected !== isSelected()) this.#announce()
    this.#surface.describe(model.nodes.length, model.edges.length)
    this.#emphasise()
    this.#showRing()
    if (before > 0) this.#ringArrivals(arrived)
  }

  hover(node: number): void {
    if (node === this.#hovered) return
    this.#hovered = node
    this.#emphasise()
    this.#events.emit('hover', this.#node(node))
    this.#card.over(node)
  }

  /** Call while the view moves under the pointer. */
  viewMoves(): void {
    this.#card.close()
  }

  /** Call after the filters changed. */
  filtered(): void {
    if (this.#hovered >= 0 && !this.#stage.isShown(this.#hovered)) this.hover(-1)
    this.#emphasise()
    this.#showRing()
  }

  /** Selection by a person: unlike `select`, it emits an event. */
  pick(node: number): void {
    const id = this.#node(node)?.id ?? null
    if (id === this.selectedId) return
    this.#card.close()
    // The end of a path is not selected.
    this.select(this.#startId === null ? id : null)
    this.#events.emit('select', this.#node(node))
  }

  /** Enter picks the end of a path, activates the selected node, or starts walking. */
  enter(): void {
    const node = this.selectedNode()
    if (node < 0) this.walk('right')
    else if (this.#startId === null) this.activate(node)
    else {
      this.select(null)
      this.pick(node)
    }
  }

  activate(node: number): void {
    const item = this.#node(node)
    if (item) this.#events.emit('activate', item)
  }

  /**
   * Without a selection, selects the node nearest to the centre; else the neighbour in that direction. On the way from
   * the start of a path to its end, the selection is the caret only.
   */
  walk(direction: Direction): void {
    const stage = this.#stage
    const { camera, model } = stage
    const start = this.#indexOf(this.#startId)
    const from = this.selectedNode() >= 0 ? this.selectedNode() : start
    const grid = stage.grid()
    if (!grid) return
    let next: number
    if (from < 0) next = grid.nearest(...camera.toGraph(camera.width / 2, camera.height / 2))
    else {
      const shown = model.numbers.neighbours(from).filter((node) => node !== from && stage.isShown(node))
      // Otherwise a node without neighbours would be a dead end.
      const candidates = shown.length > 0 ? shown : model.nodes.keys().filter((node) => stage.isShown(node))
      next = nearestInDirection(from, candidates, direction, stage.places)
    }
    if (next < 0) return
    stage.letGo()
    this.#steppedFrom = from
    if (start >= 0) this.select(model.nodes[next]!.id)
    else this.pick(next)
    this.#steppedFrom = -1
    if (!this.ring.open) camera.reveal(...stage.placeOf(next))
  }

  /** False if there was nothing to clear. */
  clear(): boolean {
    if (this.selectedId === null && this.#pathIds.length === 0 && this.#markedIds.length === 0) return false
    const hadMarks = this.#markedIds.length > 0
    this.#pathIds = []
    this.#markedIds = []
    if (this.selectedId === null) this.#emphasise()
    else this.pick(-1)
    if (hadMarks) this.#events.emit('lasso', [])
    return true
  }

  selectedNode(): number {
    return this.#indexOf(this.selectedId)
  }

  end(): void {
    this.#card.close()
  }

  #node(index: number): GraphNode | null {
    return this.#stage.model.nodes[index] ?? null
  }

  #showRing(): void {
    const isWanted =
      this.#hasRing && this.#stage.layout === 'graph' && !this.#pathIds.length && !this.#startId
    this.ring.show(isWanted ? this.selectedId : null)
  }

  #showPath(): void {
    const { hasPlaces, resting } = this.#stage
    if (!this.#pathToShow || !hasPlaces || !resting) return
    this.#pathToShow = this.#indexes(this.#pathIds).length === 0
    if (this.#pathToShow) return
    this.#stage.visit()
    this.#flyToPath(true)
  }

  #flyToPath(animate: boolean): void {
    this.#stage.flyToNodes(this.#indexes(this.#pathIds), animate)
  }

  #indexOf(id: string | null): number {
    return id === null ? -1 : (this.#stage.model.indexOf.get(id) ?? -1)
  }

  #indexes(ids: readonly string[]): number[] {
    const { indexOf } = this.#stage.model
    return ids.map((id) => indexOf.get(id) ?? -1).filter((node) => node >= 0)
  }

  #emphasise(): void {
    this.#stage.setEmphasis({
      hovered: this.#hovered,
      selected: this.selectedNode(),
      start: this.#indexOf(this.#startId),
      path: this.#indexes(this.#pathIds),
      marked: this.#indexes(this.#markedIds),
    })
  }

  #tellCard(node: number): void {
    const item = this.#node(node)
    if (!item) {
      this.#events.emit('card', null)
      return
    }
    const { camera, model } = this.#stage
    const [x, y] = camera.toScreen(...this.#stage.placeOf(node))
    this.#events.emit('card', {
      node: item,
      x,
      y,
      radius: screenRadius(model.numbers.radius[node]!, camera.view.k),
    })
  }

  #newcomers({ nodes }: GraphChange): string[] {
    const { indexOf } = this.#stage.model
    return [...(nodes ?? [])].map(({ id }) => id).filter((id) => !indexOf.has(id))
  }

  #ringArrivals(ids: readonly string[]): void {
    if (ids.length === 0 || ids.length > arrivalsMax) return
    this.#stage.render({ kind: 'arrivals', nodes: Uint32Array.from(this.#indexes(ids)) })
  }

  #announce(): void {
    const { model } = this.#stage
    const index = this.selectedNode()
    if (index < 0) {
      this.#surface.say('')
      return
    }
    const step = this.#steppedFrom < 0 ? '' : spokenStep(model, this.#steppedFrom, index)
    this.#surface.say(step + spokenNode(model, index, this.#regionOf(index)))
  }
}
