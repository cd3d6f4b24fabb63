import { GraphModel } from '../model/graph-model.ts'
import { carryOver } from '../model/graph-numbers.ts'
import { HitGrid } from '../model/hit-grid.ts'
import { placeNewNodes } from '../model/placement.ts'
import { type Bounds, boundsOf, outlineReach } from '../model/zoom-level.ts'
import type {
  Emphasis,
  FloorPlan,
  GraphPatch,
  KeptPlaces,
  LayoutReply,
  Ring,
  Sketch,
  SketchedMap,
  ViewTransform,
} from '../protocol.ts'
import type {
  GraphCamera,
  GraphChange,
  GraphLayout,
  GraphNode,
  GraphPadding,
  GraphTheme,
  GraphViewOptions,
} from '../types.ts'
import { Camera } from './camera.ts'
import { Filters } from './filters.ts'
import { Frames } from './frames.ts'
import { connectWorkers, type GraphWorkers, startWorkers } from './graph-workers.ts'
import { PinBook } from './pins.ts'
import type { Surface, SurfaceSize } from './surface.ts'

/** A change with more than this many new nodes per existing node is a new graph, not an addition. */
const newcomersFew = 500
const newcomersRatioMax = 3
const appearMs = 220
/** Margin around nodes that are brought into view, in pixels. */
const closeUpMargin = 110
const closeUpScaleMax = 1.6

export type StageOptions = {
  surface: Surface
  theme: GraphTheme
  options: GraphViewOptions
  isStill: () => boolean
  viewChanged: () => void
  viewRests: () => void
  accepts: (event: MouseEvent | TouchEvent) => boolean
  /**
   * What the map says of the nodes after a change, null if it has none of them; `anew`: the graph is shown anew.
   */
  recall: (anew: boolean, patch: GraphPatch | null) => KeptPlaces | null
  /** Whether nodes have places on a map: then a dragged one moves alone. */
  hasMap: boolean
  regions: (reply: Extract<LayoutReply, { kind: 'regions' }>) => void
  placed: () => void
  settled: () => void
  /** The free area has changed while a part of the graph is shown in it. */
  areaChanged: (animate: boolean) => void
}

/**
 * What the view shows: the whole graph, of which it follows every change; a part of it; or what a person chose,
 * which it leaves alone.
 */
type Aim = 'all' | 'part' | 'own'

/** The graph on its canvases: data, positions, camera and workers, without user interaction. */
export class GraphStage {
  readonly camera: Camera
  readonly model = new GraphModel()
  readonly filters = new Filters()
  readonly pins = new PinBook()
  /** Node positions from the layout. */
  positions: Float32Array = new Float32Array(0)
  visible: Uint8Array | null = null
  layout: GraphLayout = 'graph'
  resting = true
  #visibleEdges: Uint8Array | null = null
  #slots: Readonly<Record<string, number>>
  #theme: GraphTheme
  readonly #stage: StageOptions
  readonly #workers: GraphWorkers
  #ring: Ring | null = null
  #shownPlaces: Float32Array | null = null
  #grid: HitGrid | null = null
  #version = 0
  #serial = 0
  #typeCount = 0
  #aim: Aim = 'all'
  /** A person asked for all of it. */
  #isWhole = false
  /** What was shown before a part. */
  #before: { aim: Aim; place: GraphCamera } | null = null
  /** Bounds of the floor plan while it is shown. */
  #planBounds: Bounds | null = null
  #positionsChanged = false
  readonly #frames: Frames
  #held: { node: number; x: number; y: number } | null = null
  /** What the map said when the newest layout began. */
  #asked: KeptPlaces | null = null
  /** Nodes taken over without places, while more follow. */
  #taken = 0
  /** The regions of the map and their names, shown until the nodes are. */
  #sketched: { sketch: Sketch | null; names: (sketch: Sketch) => string[] } | null = null

  constructor(stage: StageOptions) {
    this.#stage = stage
    this.#slots = stage.options.slots ?? {}
    this.#theme = stage.theme
    this.#frames = new Frames(
      () => this.#workers,
      () => this.#nextFrame(),
    )
    this.camera = new Camera(stage.surface.root, {
      isStill: stage.isStill,
      changed: () => {
        this.#frames.ask()
        stage.viewChanged()
      },
      taken: () => this.letGo(),
      ended: stage.viewRests,
      accepts: stage.accepts,
    })
    this.#workers = connectWorkers(stage.options.start ?? startWorkers, {
      layout: (reply) => this.#receive(reply),
      drawn: ({ version, received, complete }) => {
        if (complete) this.#frames.drawn(received)
        if (version > 0 || this.#sketched?.sketch) this.#appear()
      },
    })
    const base = stage.surface.base.transferControlToOffscreen()
    const overlay = stage.surface.overlay.transferControlToOffscreen()
    const { font = { family: 'system-ui, sans-serif' } } = stage.options
    this.render({ kind: 'init', base, overlay, theme: stage.theme, font }, [base, overlay])
  }

  get settled(): boolean {
    return this.resting && this.#frames.done && !this.camera.flies
  }

  get hasPlaces(): boolean {
    return this.positions.length === 2 * this.model.nodes.length
  }

  /** Shows the regions of a map until the first nodes come. */
  sketch(map: SketchedMap, names: (sketch: Sketch) => string[]): void {
    if (this.model.nodes.length > 0) return
    this.#sketched = { sketch: null, names }
    this.camera.setBounds(boundsOf(map.positions, null), map.region.length, outlineReach)
    if (this.#aim === 'all') this.#showAll(false)
    this.#workers.layout({ kind: 'sketch', serial: this.#serial, map }, [map.positions.buffer])
  }

  /** Takes over a part of a graph, of which more will follow: nothing is laid out or drawn. */
  take(change: GraphChange): void {
    const before = this.model.nodes.length
    const patch = this.model.apply(change)
    this.#taken += this.model.nodes.length - before
    this.#version = patch.version
    this.render({ kind: 'change', patch, more: true })
    this.#tellLayout(patch, 0, null, null, true)
  }

  /** Existing nodes keep their positions, unless `keepPositions` is false or far more nodes are new. */
  update(change: GraphChange, keepPositions: boolean): void {
    const hadPlaces = this.hasPlaces && this.positions.length > 0
    const before = this.model.nodes.length - this.#taken
    const patch = this.model.apply(change)
    const changed = patch.version !== this.#version || this.#taken > 0
    this.#taken = 0
    if (!changed && patch.nodes.index.length === 0 && patch.edges.index.length === 0) return
    this.#version = patch.version
    // Sent first, since a frame may be drawn between the two messages.
    if (this.model.types.length !== this.#typeCount) this.#sendPalette()
    this.render({ kind: 'change', patch, more: false })
    this.show()
    const newcomers = this.model.nodes.length - before + patch.nodesGone.length
    if (changed) this.#lay(patch, newcomers, hadPlaces, keepPositions)
    else this.#tellLayout(patch, 0, null, null)
  }

  /** Moves nodes to their places on the map, if any is elsewhere. */
  followMap(): void {
    if (this.layout !== 'graph' || this.model.nodes.length === 0 || this.#taken > 0) return
    // On the scale of the picture: what others add elsewhere must not change it.
    const same = this.#stage.recall(false, null)
    if (!same || !this.#differs(same)) return
    this.resting = false
    this.#askForLayout(this.model.emptyPatch(), 0, null, this.#stage.recall(true, null))
  }

  /** Whether a person put the node where it is. */
  isPlacedByHand(node: number): boolean {
    return node === this.#held?.node || this.pins.has(this.model.nodes[node]!.id)
  }

  setLayout(layout: GraphLayout): void {
    if (layout === this.layout) return
    this.layout = layout
    if (layout === 'graph') {
      this.#planBounds = null
      this.render({ kind: 'plan', plan: null })
    }
    if (this.#taken > 0) return
    this.#restart(layout === 'graph' ? this.#stage.recall(true, null) : null)
  }

  setSlots(slots: Readonly<Record<string, number>>): void {
    this.#slots = slots
    this.#sendPalette()
  }

  setTheme(theme: GraphTheme): void {
    this.#theme = theme
    this.render({ kind: 'theme', theme })
    this.#sendPalette()
  }

  palette() {
    return this.model.palette(this.#slots, this.#theme.scheme)
  }

  setPadding(padding: GraphPadding): void {
    this.camera.setPadding(padding)
    this.render({ kind: 'padding', padding })
    if (this.hasPlaces) this.#aimAgain(true)
    this.#frames.ask()
  }

  setEmphasis(emphasis: Emphasis): void {
    this.render({ kind: 'emphasis', emphasis, still: this.#stage.isStill() })
  }

  setRing(ring: Ring | null): void {
    this.#ring = ring
    this.#places()
    this.render({ kind: 'ring', ring, still: this.#stage.isStill() })
  }

  resize({ width, height, pixelRatio }: SurfaceSize): void {
    this.camera.resize(width, height)
    this.#measure()
    this.#aimAgain(false)
    // The view first: the worker redraws immediately when its canvases change size.
    this.#frames.now()
    this.render({ kind: 'resize', width, height, pixelRatio })
  }

  fit(): void {
    this.#follow()
    this.#isWhole = true
    this.camera.fit(true)
  }

  /** Call before the view moves to a part of the graph, to return from it later. */
  visit(): void {
    this.#before ??= { aim: this.#aim, place: this.camera.place }
    this.#aim = 'part'
  }

  /** Returns from a part of the graph. */
  leave(): void {
    const before = this.#before
    this.#before = null
    if (before?.aim === 'all') {
      this.#follow()
      this.#showAll(true)
    } else if (before) {
      this.#aim = 'own'
      this.camera.flyToPlace(before.place)
    }
  }

  /** Brings nodes into view. */
  flyToNodes(nodes: readonly number[], animate = true): void {
    const xs = nodes.map((node) => this.placeOf(node)[0])
    const ys = nodes.map((node) => this.placeOf(node)[1])
    const box = {
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    }
    this.camera.flyToBox(box, closeUpMargin, closeUpScaleMax, animate)
  }

  /** The view stays where a person moves it. */
  letGo(): void {
    this.#aim = 'own'
  }

  isShown(node: number): boolean {
    return this.visible === null || this.visible[node] === 1
  }

  isEdgeShown(edge: number): boolean {
    return this.#visibleEdges === null || this.#visibleEdges[edge] === 1
  }

  /** Positions as drawn; the ring may have moved some nodes. */
  get places(): Float32Array {
    return this.#shownPlaces ?? this.positions
  }

  /** Position of a node as drawn. */
  placeOf(node: number): [x: number, y: number] {
    const { places } = this
    return [places[2 * node] ?? 0, places[2 * node + 1] ?? 0]
  }

  layoutPlaceOf(node: number): [x: number, y: number] {
    return [this.positions[2 * node] ?? 0, this.positions[2 * node + 1] ?? 0]
  }

  /** The node at a point of the surface, or -1. */
  nodeAt(x: number, y: number, slack: number): number {
    return this.grid()?.find(...this.camera.toGraph(x, y), this.camera.view.k, slack) ?? -1
  }

  grid(): HitGrid | null {
    if (!this.hasPlaces) return null
    this.#grid ??= new HitGrid(this.places, this.model.numbers.radius, this.visible)
    return this.#grid
  }

  moveNode(node: number, x: number, y: number): void {
    this.letGo()
    this.#held = { node, x, y }
    this.#hold()
    // Drawn before the layout responds, which takes a second in a very large graph.
    this.render({ kind: 'move', node, x, y })
    const reheat = !this.#stage.isStill() && this.layout === 'graph' && !this.#stage.hasMap
    // The other nodes make room for the dragged one.
    if (reheat) this.resting = false
    this.#workers.layout({ kind: 'pin', node, x, y, reheat })
  }

  /** Returns the node that was moved. */
  dropNode(): GraphNode | undefined {
    const held = this.#held
    this.#held = null
    this.#workers.layout({ kind: 'drop' })
    if (!held) return undefined
    const node = this.model.nodes[held.node]!
    this.pins.set(node.id, [held.x, held.y])
    this.showPins()
    return node
  }

  /** Sends the pinned nodes to the workers. */
  sendPins(): void {
    const pins = this.pins.rows(this.model)
    for (const [i, node] of pins.nodes.entries()) {
      if (!this.hasPlaces) break
      this.positions[2 * node] = pins.places[2 * i]!
      this.positions[2 * node + 1] = pins.places[2 * i + 1]!
    }
    this.#places()
    this.#positionsChanged = true
    this.#workers.layout({ kind: 'pins', pins })
    this.showPins()
    this.#frames.ask()
  }

  showPins(): void {
    this.render({ kind: 'pinned', nodes: this.pins.rows(this.model).nodes })
  }

  png(area: 'view' | 'all', scale: number): Promise<Blob> {
    const { width, height } = this.camera
    const view = area === 'all' ? this.camera.fittingView() : this.camera.view
    return this.#workers.png({ width, height, scale, view })
  }

  render(...[request, transfer]: Parameters<GraphWorkers['render']>): void {
    this.#frames.send(request, transfer)
  }

  /** Sends the visible state to the renderer. */
  show(): void {
    const { visible: nodesBefore } = this
    const edgesBefore = this.#visibleEdges
    const { nodes, edges } = this.filters.shown(this.model)
    this.visible = nodes
    this.#visibleEdges = edges
    this.#grid = null
    if (nodesBefore || edgesBefore || nodes || edges) this.render({ kind: 'visible', nodes, edges })
  }

  /** Call after the filters changed. */
  filter(): void {
    this.show()
    this.#measure()
  }

  destroy(): void {
    this.#frames.cancel()
    this.camera.detach()
    this.#workers.terminate()
  }

  #sendPalette(): void {
    this.#typeCount = this.model.types.length
    this.render({ kind: 'palette', palette: this.palette(), types: [...this.model.types] })
  }

  /** Finds positions for new nodes, or for all. */
  #lay(patch: GraphPatch, newcomers: number, hadPlaces: boolean, keepPositions: boolean): void {
    const { numbers } = this.model
    const known = numbers.nodeCount - newcomers
    const stays = hadPlaces && keepPositions && isAddition(known, newcomers) && this.layout === 'graph'
    this.positions = stays ? carryOver(this.positions, 2, patch, Number.NaN) : new Float32Array(0)
    this.#held = null
    this.resting = false
    const kept = keepPositions && this.layout === 'graph' ? this.#stage.recall(!stays, patch) : null
    if (stays) {
      if (kept) takeKnown(this.positions, kept.positions)
      placeNewNodes(this.positions, numbers)
      this.#places()
      this.#positionsChanged = true
      this.#frames.now()
    } else if (!keepPositions || this.layout === 'graph') this.#follow()
    if (kept && !stays) this.#showKept(kept)
    // The map knows what stays; without one, the positions do.
    this.#askForLayout(patch, newcomers, stays && !kept ? this.positions : null, kept)
    if (this.pins.size > 0) this.showPins()
  }

  /** Draws the nodes where the map says, in the regions that are shown already; what is new comes with the layout. */
  #showKept({ positions, region, hub }: KeptPlaces): void {
    const sketch = this.#sketched?.sketch
    this.#sketched = null
    if (!sketch || positions.some(Number.isNaN)) return
    const { regions, outlines } = sketch
    const rows = new Map(Array.from(regions.key, (key, row) => [key, row]))
    const of = region.map((key) => rows.get(key) ?? -1)
    const hubs = Uint32Array.from(regions.key, (key) => hub[key] ?? -1)
    this.positions = positions.slice()
    this.#stage.regions({
      kind: 'regions',
      serial: this.#serial,
      regions: { ...regions, of, hub: hubs },
      outlines,
    })
    this.#places()
    this.#measure()
    this.#positionsChanged = true
    if (this.#aim === 'all') this.#showAll(false)
    this.#frames.now()
  }

  /** Lays out the current graph from scratch. */
  #restart(kept: KeptPlaces | null): void {
    this.#follow()
    this.resting = false
    this.#askForLayout(this.model.emptyPatch(), 0, null, kept)
    this.showPins()
  }

  /** Responses to earlier requests no longer count. */
  #askForLayout(
    patch: GraphPatch,
    newcomers: number,
    positions: Float32Array | null,
    kept: KeptPlaces | null,
  ): void {
    this.#serial++
    // The map goes on changing its own rows.
    this.#asked = kept && { ...kept, positions: kept.positions.slice() }
    this.#tellLayout(patch, newcomers, positions, kept)
  }

  /** Whether nodes are elsewhere than the map says, or will be at the end of a layout that began without it. */
  #differs({ positions, tint }: KeptPlaces): boolean {
    if (!this.hasPlaces) return true
    if (this.resting) return isElsewhere(positions, this.positions)
    const asked = this.#asked
    return (
      asked?.tint.length !== tint.length ||
      positions.some((value, i) => !Object.is(value, asked.positions[i]))
    )
  }

  #tellLayout(
    patch: GraphPatch,
    newcomers: number,
    positions: Float32Array | null,
    kept: KeptPlaces | null,
    more = false,
  ): void {
    this.#workers.layout({
      kind: 'change',
      more,
      // The layout does not need the names; omitting them avoids a copy.
      patch: { ...patch, nodes: { ...patch.nodes, labels: [] } },
      positions,
      kept,
      newcomers,
      serial: this.#serial,
      aspect: this.camera.aspect,
      still: this.#stage.isStill(),
      regions: this.#stage.options.regions ?? false,
      layout: this.layout,
      pins: this.pins.rows(this.model),
    })
  }

  #receive(reply: LayoutReply): void {
    if (reply.serial !== this.#serial) return
    if (reply.kind === 'regions') this.#stage.regions(reply)
    else if (reply.kind === 'plan') this.#receivePlan(reply.plan)
    else if (reply.kind === 'sketch') this.#receiveSketch(reply.sketch)
    else this.#receivePlaces(reply)
  }

  #receiveSketch(sketch: Sketch): void {
    if (!this.#sketched || this.model.nodes.length > 0) return
    this.#sketched.sketch = sketch
    this.render({ kind: 'sketch', sketch, names: this.#sketched.names(sketch) })
    this.#frames.now()
  }

  #receivePlan(plan: FloorPlan): void {
    const right = Math.max(0, ...plan.rooms.map((room) => room.x + room.width))
    const bottom = Math.max(0, ...plan.rooms.map((room) => room.y + room.height))
    this.#planBounds = { left: 0, top: 0, right, bottom }
    this.render({ kind: 'plan', plan })
  }

  #receivePlaces(reply: Extract<LayoutReply, { kind: 'positions' }>): void {
    const first = !this.hasPlaces
    this.positions = reply.positions
    this.#hold()
    this.#places()
    this.#measure()
    this.#positionsChanged = true
    if (this.#aim === 'all') this.#showAll(!first && reply.done && this.#isFar())
    this.#frames.ask()
    this.resting = reply.done
    this.#stage.placed()
    if (reply.done) this.#stage.settled()
  }

  #follow(): void {
    this.#aim = 'all'
    this.#before = null
  }

  /** Moves the view after a change of the free area. */
  #aimAgain(animate: boolean): void {
    if (this.#aim === 'all') this.#showAll(animate)
    else if (this.#aim === 'part') this.#stage.areaChanged(animate)
  }

  /** Where the view belongs while it follows the whole graph. */
  #goal(): ViewTransform {
    return this.#isWhole ? this.camera.fittingView() : this.camera.openingView()
  }

  #showAll(animate: boolean): void {
    if (this.#isWhole) this.camera.fit(animate)
    else this.camera.open(animate)
  }

  #isFar(): boolean {
    return Math.abs(Math.log(this.#goal().k / this.camera.view.k)) > 0.05
  }

  /** A dragged node stays under the pointer. */
  #hold(): void {
    if (!this.#held || !this.hasPlaces) return
    this.positions[2 * this.#held.node] = this.#held.x
    this.positions[2 * this.#held.node + 1] = this.#held.y
    this.#places()
  }

  /** Updates positions as drawn, after the layout or the ring moved nodes. */
  #places(): void {
    this.#grid = null
    const ring = this.#ring
    this.#shownPlaces = ring && this.hasPlaces ? this.positions.slice() : null
    if (!ring || !this.#shownPlaces) return
    for (const [i, node] of ring.nodes.entries()) {
      this.#shownPlaces[2 * node] = ring.places[2 * i]!
      this.#shownPlaces[2 * node + 1] = ring.places[2 * i + 1]!
    }
  }

  #measure(): void {
    if (!this.hasPlaces) return
    const bounds = this.#planBounds ?? boundsOf(this.positions, this.visible)
    this.camera.setBounds(bounds, this.model.nodes.length, this.#planBounds ? 0 : outlineReach)
  }

  #nextFrame() {
    const positions = this.#positionsChanged && this.hasPlaces ? this.positions.slice() : null
    this.#positionsChanged = false
    const { view, fitScale } = this.camera
    return { positions, settled: positions !== null && this.resting, view, fitScale }
  }

  /** The first picture fades in; an empty canvas would be black. */
  #appear(): void {
    const { base, overlay } = this.#stage.surface
    if (base.style.opacity === '1') return
    for (const canvas of [base, overlay]) {
      if (!this.#stage.isStill()) canvas.style.transition = `opacity ${appearMs}ms ease-out`
      canvas.style.opacity = '1'
    }
  }
}

function isAddition(known: number, newcomers: number): boolean {
  return known > 0 && (newcomers <= newcomersFew || newcomers <= known * newcomersRatioMax)
}

/** Nodes without a place on the map are where they are. */
function isElsewhere(map: Float32Array, shown: Float32Array): boolean {
  for (let i = 0; i < map.length; i++) if (Math.abs(map[i]! - shown[i]!) > 0.5) return true
  return false
}

/** Copies the positions that the map has. */
function takeKnown(positions: Float32Array, known: Float32Array): void {
  for (let i = 0; i < known.length; i++) if (!Number.isNaN(known[i]!)) positions[i] = known[i]!
}
