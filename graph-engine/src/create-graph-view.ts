import { nodesInside } from './model/lasso.ts'
import { svgOf } from './model/svg.ts'
import type { GraphPatch, KeptPlaces } from './protocol.ts'
import { themeOf } from './theme.ts'
import type { ExportOptions, GraphTheme, GraphTool, GraphView, GraphViewOptions } from './types.ts'
import { attachContextMenu } from './view/context-menu.ts'
import { EventHub } from './view/events.ts'

import { Feed } from './view/feed.ts'
import { GraphStage } from './view/graph-stage.ts'
import { Interaction } from './view/interaction.ts'
import { attachKeyboard } from './view/keyboard.ts'
import { attachLasso } from './view/lasso.ts'
import { attachLink } from './view/link.ts'
import { MapBook } from './view/map-book.ts'
import { Minimap } from './view/minimap.ts'
import { NamedRegions } from './view/named-regions.ts'
import { nearNodes } from './view/near-nodes.ts'
import { attachPointer } from './view/pointer.ts'
import { spokenRegions } from './view/spoken.ts'
import { atOnce, inTasks, type Steps } from './view/steps.ts'
import { createSurface, paintSurface, type Surface, setTouchAction, watchSize } from './view/surface.ts'
import { exposeTestHandle, testHandleOf } from './view/test-handle.ts'

/** More places of a map are taken over or remembered in steps. */
const placesAtOnceMax = 10_000

/** Shows a graph in an element, which should have an explicit size. */
export function createGraphView(container: HTMLElement, options: GraphViewOptions = {}): GraphView {
  return new View(container, options)
}

class View implements GraphView {
  readonly #options: GraphViewOptions
  readonly #surface: Surface
  readonly #stage: GraphStage
  readonly #person: Interaction
  readonly #regions: NamedRegions
  readonly #events = new EventHub()
  readonly #book = new MapBook()
  readonly #feed = new Feed({
    take: (slice) => this.#stage.take(slice),
    change: (change, live) => this.#person.change(change, true, live),
  })
  #minimap: Minimap | null = null
  readonly #endings: (() => void)[] = []
  #theme: GraphTheme
  #touch: 'pan' | 'scroll'
  #tool: GraphTool = 'pan'
  #mapDone: Promise<void> = Promise.resolve()
  #mapWaiting = 0
  #isDestroyed = false
  #zoom = 0

  constructor(container: HTMLElement, options: GraphViewOptions) {
    this.#options = options
    this.#theme = themeOf(options.theme)
    this.#touch = options.touch ?? 'pan'
    this.#surface = createSurface(container)
    paintSurface(this.#surface, this.#theme)
    const motion = matchMedia('(prefers-reduced-motion: reduce)')
    this.#stage = new GraphStage({
      surface: this.#surface,
      theme: this.#theme,
      options,
      isStill: () => options.reducedMotion ?? motion.matches,
      viewChanged: () => this.#viewChanged(),
      viewRests: () => this.#viewRests(),
      accepts: (event) => this.#accepts(event),
      recall: (anew, patch) => this.#recall(anew, patch),
      hasMap: options.map ?? false,
      regions: (reply) => {
        this.#regions.regions = reply.regions
        this.#regions.outlines = reply.outlines
        this.#stage.render({ kind: 'regions', regions: reply.regions, outlines: reply.outlines })
        this.#showRegionNames()
      },
      placed: () => this.#person.placed(),
      settled: () => this.#settled(),
      areaChanged: (animate) => this.#person.areaChanged(animate),
    })
    this.#regions = new NamedRegions(this.#stage.model, this.#book)
    this.#person = new Interaction(this.#surface, this.#stage, this.#events, {
      hasRing: options.ring ?? false,
      regionOf: (node) => this.#regions.of(node),
    })
    this.#listen()
    if (options.testHandle)
      this.#endings.push(exposeTestHandle(testHandleOf(this.#surface, this.#stage, this.#person)))
  }

  setData: GraphView['setData'] = (data, { keepPositions = true } = {}) => {
    this.#feed.stop()
    if (this.#stage.model.nodes.length === 0 && keepPositions) this.#feed.begin(data)
    else this.#person.change(this.#stage.model.changeTo(data), keepPositions, false)
  }

  update: GraphView['update'] = (change) => this.#feed.change(change)

  setMap: GraphView['setMap'] = (map) => {
    // Nothing is shown before the first one.
    const places = this.#book.isEmpty ? 0 : map.places.length
    this.#mapWork(places, this.#book.take(map), () => this.#stage.followMap())
  }

  sketch: GraphView['sketch'] = (hubs) => {
    if (!this.#options.map || this.#book.isEmpty) return
    this.#stage.sketch(this.#book.sketch(), (sketch) => this.#regions.sketched(sketch, hubs))
  }

  spotAt: GraphView['spotAt'] = ({ x, y }) => {
    const point = this.#stage.camera.toGraph(x, y)
    const region = this.#regions.at(...point)
    const mapped = region && !region.loose ? this.#book.region(region.id) : undefined
    return { ...this.#book.toMap(point), region: mapped ?? null }
  }

  map: GraphView['map'] = () => this.#book.map()

  setLayout: GraphView['setLayout'] = (layout) => {
    this.#stage.setLayout(layout)
    this.#person.filtered()
  }

  setTypeSlots: GraphView['setTypeSlots'] = (slots) => this.#stage.setSlots(slots)

  setTheme: GraphView['setTheme'] = (theme) => {
    this.#theme = themeOf(theme)
    paintSurface(this.#surface, this.#theme)
    this.#stage.setTheme(this.#theme)
  }

  setPadding: GraphView['setPadding'] = (padding) => this.#stage.setPadding(padding)

  setTouch: GraphView['setTouch'] = (touch) => {
    this.#touch = touch
    setTouchAction(this.#surface, touch)
  }

  setTool: GraphView['setTool'] = (tool) => {
    this.#tool = tool
    this.#surface.root.style.cursor = tool === 'pan' ? 'grab' : 'crosshair'
  }

  select: GraphView['select'] = (id) => this.#person.select(id)

  mark: GraphView['mark'] = (ids) => this.#person.mark(ids)

  highlightPath: GraphView['highlightPath'] = (ids) => this.#person.highlightPath(ids)

  markStart: GraphView['markStart'] = (id) => this.#person.markStart(id)

  hideTypes: GraphView['hideTypes'] = (types) => {
    if (types.symmetricDifference(this.#stage.filters.types).size === 0) return
    this.#stage.filters.types = new Set(types)
    this.#filter()
  }

  hideRelationTypes: GraphView['hideRelationTypes'] = (types) => {
    if (types.symmetricDifference(this.#stage.filters.relationTypes).size === 0) return
    this.#stage.filters.relationTypes = new Set(types)
    this.#filter()
  }

  hideNodes: GraphView['hideNodes'] = (ids) => {
    if (ids.symmetricDifference(this.#stage.filters.nodes).size === 0) return
    this.#stage.filters.nodes = new Set(ids)
    this.#filter()
  }

  showUntil: GraphView['showUntil'] = (time) => {
    const until = time === null ? null : new Date(time).toISOString()
    if (until === this.#stage.filters.until) return
    this.#stage.filters.until = until
    this.#filter()
  }

  setRecent: GraphView['setRecent'] = (strengths) => {
    const byNode = strengths && Float32Array.from(this.#stage.model.nodes, ({ id }) => strengths.get(id) ?? 0)
    this.#stage.render({ kind: 'recent', strengths: byNode })
  }

  ring: GraphView['ring'] = (ids) => {
    this.#stage.render({ kind: 'arrivals', nodes: Uint32Array.from(this.#nodes(ids)) })
  }

  setNotes: GraphView['setNotes'] = (notes) => {
    const { indexOf } = this.#stage.model
    const rows = [...notes].filter(([id]) => indexOf.has(id))
    this.#stage.render({ kind: 'notes', notes: rows.map(([id, text]) => [indexOf.get(id)!, text]) })
  }

  pin: GraphView['pin'] = (ids, pinned) => {
    for (const node of this.#nodes(ids)) {
      const { id } = this.#stage.model.nodes[node]!
      if (pinned) this.#stage.pins.set(id, this.#stage.layoutPlaceOf(node))
      else this.#stage.pins.delete(id)
    }
    this.#stage.sendPins()
  }

  pins: GraphView['pins'] = () => this.#stage.pins.places()

  setPins: GraphView['setPins'] = (pins) => {
    this.#stage.pins.clear()
    for (const [id, place] of Object.entries(pins)) this.#stage.pins.set(id, place)
    this.#stage.sendPins()
  }

  regions: GraphView['regions'] = () => this.#regions.list()

  regionNodes: GraphView['regionNodes'] = (id) =>
    this.#regions.nodesOf(id).map((node) => this.#stage.model.nodes[node]!.id)

  setRegionNames: GraphView['setRegionNames'] = (names) => {
    this.#regions.setNames(names)
    this.#showRegionNames()
  }

  showMinimap: GraphView['showMinimap'] = (element) => {
    this.#minimap?.destroy()
    this.#minimap = element && new Minimap(element, this.#stage)
  }

  focus: GraphView['focus'] = (id) => {
    const [node] = this.#nodes([id])
    if (node === undefined || !this.#stage.hasPlaces || this.#person.ring.holds(node)) return
    this.#stage.letGo()
    this.#stage.camera.flyTo(...this.#stage.placeOf(node))
  }

  focusAll: GraphView['focusAll'] = (ids) => {
    const nodes = this.#nodes(ids)
    if (nodes.length === 0 || !this.#stage.hasPlaces) return
    this.#stage.letGo()
    this.#stage.flyToNodes(nodes)
  }

  fit: GraphView['fit'] = () => this.#stage.fit()

  resetZoom: GraphView['resetZoom'] = () => {
    this.#stage.letGo()
    this.#stage.camera.reset()
  }

  zoomBy: GraphView['zoomBy'] = (factor) => {
    this.#stage.letGo()
    this.#stage.camera.zoomBy(factor)
  }

  camera: GraphView['camera'] = () => this.#stage.camera.place

  setCamera: GraphView['setCamera'] = (camera) => {
    this.#stage.letGo()
    this.#stage.camera.place = camera
  }

  exportPng({ area = 'view', scale = 2 }: ExportOptions = {}): Promise<Blob> {
    return this.#stage.png(area, scale)
  }

  exportSvg({ area = 'view' }: ExportOptions = {}): string {
    const { model, places, visible, camera, hasPlaces } = this.#stage
    return svgOf({
      model,
      positions: hasPlaces ? places : new Float32Array(2 * model.nodes.length),
      visible,
      palette: this.#stage.palette(),
      theme: this.#theme,
      font: this.#options.font ?? { family: 'system-ui, sans-serif' },
      view: area === 'all' ? camera.fittingView() : camera.view,
      width: Math.round(camera.width),
      height: Math.round(camera.height),
    })
  }

  on: GraphView['on'] = (name, listener) => this.#events.on(name, listener)

  destroy(): void {
    this.#isDestroyed = true
    for (const end of this.#endings.splice(0)) end()
    this.#events.clear()
    this.#feed.stop()
    this.#person.end()
    this.#minimap?.destroy()
    this.#stage.destroy()
    this.#surface.destroy()
  }

  #listen(): void {
    const { root } = this.#surface
    const stage = this.#stage
    const person = this.#person
    const isLasso = (event: MouseEvent | TouchEvent) =>
      (event.shiftKey || this.#tool === 'lasso') && !isOverNode(event)
    const isOverNode = (event: MouseEvent | TouchEvent) => {
      if (this.#tool === 'lasso' || !('clientX' in event)) return false
      const box = root.getBoundingClientRect()
      return stage.nodeAt(event.clientX - box.left, event.clientY - box.top, 3) >= 0
    }
    const linkFrom = (event: MouseEvent | TouchEvent) => {
      if (!this.#options.links || stage.layout !== 'graph' || !('clientX' in event)) return -1
      if (this.#tool !== 'link' && !event.altKey) return -1
      const box = root.getBoundingClientRect()
      return stage.nodeAt(event.clientX - box.left, event.clientY - box.top, 3)
    }
    this.#draws = (event) => isLasso(event) || linkFrom(event) >= 0
    setTouchAction(this.#surface, this.#touch)
    this.#endings.push(
      watchSize(root, (size) => stage.resize(size)),
      attachLasso(root, { begins: isLasso, drawn: (line) => this.#lasso(line) }),
      attachLink(root, {
        begins: linkFrom,
        nodeAt: (x, y) => stage.nodeAt(x, y, 8),
        placeOf: (node) => stage.camera.toScreen(...stage.placeOf(node)),
        over: (node) => person.hover(node),
        linked: (from, to) => this.#link(from, to),
      }),
      attachPointer(root, {
        camera: stage.camera,
        nodeAt: (x, y, slack) => stage.nodeAt(x, y, slack),
        placeOf: (node) => stage.placeOf(node),
        hover: (node) => person.hover(node),
        click: (node) => person.pick(node),
        activate: (node) => person.activate(node),
        activateAt: (x, y) => {
          const region = this.#regions.at(...stage.camera.toGraph(x, y))
          if (region) this.#events.emit('activateRegion', region)
        },
        canMove: (node) => stage.layout === 'graph' && !person.ring.holds(node),
        moveNode: (node, x, y) => stage.moveNode(node, x, y),
        dropNode: () => {
          const dropped = stage.dropNode()
          this.#events.emit('pins', stage.pins.ids())
          if (dropped) this.#tellMoved(dropped.id)
        },
        accepts: (event) => this.#accepts(event),
      }),
      attachContextMenu(root, (x, y) => this.#menu(stage.nodeAt(x, y, 3), x, y)),
      attachKeyboard(root, {
        move: (direction) => person.walk(direction),
        enter: () => person.enter(),
        clear: () => person.clear(),
        zoomBy: (factor) => this.zoomBy(factor),
        reset: () => this.resetZoom(),
        menu: () => this.#menuByKey(),
      }),
    )
    // d3-drag prevents the browser from scrolling.
    setTouchAction(this.#surface, this.#touch)
  }

  /** Whether a press draws something, and so moves nothing. */
  #draws: (event: MouseEvent | TouchEvent) => boolean = () => false

  #accepts(event: MouseEvent | TouchEvent): boolean {
    if ('touches' in event) return this.#touch === 'pan' ? this.#tool === 'pan' : event.touches.length > 1
    if (event.type === 'wheel') return true
    return !event.ctrlKey && event.button === 0 && !this.#draws(event)
  }

  #lasso(line: readonly number[]): void {
    const { camera, places, visible, model } = this.#stage
    const inGraph = line.map((value, i) =>
      i % 2 === 0 ? camera.toGraph(value, 0)[0] : camera.toGraph(0, value)[1],
    )
    const nodes = nodesInside(places, visible, inGraph)
    this.#events.emit(
      'lasso',
      nodes.map((node) => model.nodes[node]!),
    )
  }

  #link(from: number, to: number): void {
    const { camera, model } = this.#stage
    const [x, y] = camera.toScreen(...this.#stage.placeOf(to))
    this.#events.emit('link', { from: model.nodes[from]!, to: model.nodes[to]!, x, y })
  }

  #menu(node: number, x: number, y: number): void {
    const item = this.#stage.model.nodes[node] ?? null
    const region = item ? this.#regions.of(node) : this.#regions.at(...this.#stage.camera.toGraph(x, y))
    this.#events.emit('menu', { node: item, region, x, y })
  }

  #menuByKey(): void {
    const node = this.#person.selectedNode()
    const { camera } = this.#stage
    const [x, y] =
      node >= 0 ? camera.toScreen(...this.#stage.placeOf(node)) : [camera.width / 2, camera.height / 2]
    this.#menu(node, x, y)
  }

  #nodes(ids: Iterable<string>): number[] {
    const { indexOf } = this.#stage.model
    return [...ids].map((id) => indexOf.get(id) ?? -1).filter((node) => node >= 0)
  }

  #filter(): void {
    this.#stage.filter()
    this.#person.filtered()
  }

  #showRegionNames(): void {
    const list = this.#regions.list()
    this.#stage.render({ kind: 'regionNames', names: list.map(({ name }) => name) })
    this.#surface.explain(spokenRegions(list))
    this.#events.emit('regions', list)
  }

  #recall(anew: boolean, patch: GraphPatch | null): KeptPlaces | null {
    if (!this.#options.map || this.#book.isEmpty) return null
    if (anew) this.#book.fit(this.#stage.model)
    return this.#book.recall(this.#stage.model, patch)
  }

  #tellMoved(id: string): void {
    const node = this.#stage.model.indexOf.get(id)!
    const moved = this.#book.move(id, this.#stage.layoutPlaceOf(node))
    if (!moved) return
    const { before, place } = moved
    this.#events.emit('map', { regions: this.#book.regions, places: [place], before })
  }

  #viewChanged(): void {
    this.#person?.viewMoves()
    this.#minimap?.follow()
    const { level } = this.#stage.camera
    if (Math.abs(level - this.#zoom) < 1e-6) return
    this.#zoom = level
    this.#events.emit('zoom', level)
  }

  #viewRests(): void {
    this.#events.emit('camera', this.#stage.camera.place)
    this.#events.emit('near', nearNodes(this.#stage))
  }

  /** Does what concerns few places at once, and the rest in steps, one piece of work after the other. */
  #mapWork<Result>(places: number, steps: Steps<Result>, done: (result: Result) => void): void {
    if (this.#mapWaiting === 0 && places <= placesAtOnceMax) {
      done(atOnce(steps))
      return
    }
    this.#mapWaiting++
    this.#mapDone = this.#mapDone.then(async () => {
      const result = await inTasks(steps)
      this.#mapWaiting--
      if (!this.#isDestroyed) done(result)
    })
  }

  #settled(): void {
    const { layout, model, positions } = this.#stage
    if (layout === 'graph' && this.#options.map) {
      const isPlacedByHand = (node: number) => this.#stage.isPlacedByHand(node)
      const steps = this.#book.remember(model, positions, this.#regions.regions, isPlacedByHand)
      this.#mapWork(model.nodes.length, steps, (places) => {
        if (places.length > 0) this.#events.emit('map', { regions: this.#book.regions, places })
      })
    }
    this.#minimap?.draw()
    this.#minimap?.follow()
    this.#events.emit('settled', undefined)
  }
}
