import { type Direction, nearestInDirection } from './model/direction.ts'
import { svgOf } from './model/svg.ts'
import { themeOf } from './theme.ts'
import type {
  ExportOptions,
  GraphChange,
  GraphNode,
  GraphTheme,
  GraphView,
  GraphViewOptions,
} from './types.ts'
import { EventHub } from './view/events.ts'
import { GraphStage } from './view/graph-stage.ts'
import { attachKeyboard } from './view/keyboard.ts'
import { attachPointer } from './view/pointer.ts'
import { counted, createSurface, type Surface, watchSize } from './view/surface.ts'
import { exposeTestHandle } from './view/test-handle.ts'

/** Shows a graph in an element, which should have a size of its own. */
export function createGraphView(container: HTMLElement, options: GraphViewOptions = {}): GraphView {
  return new View(container, options)
}

class View implements GraphView {
  readonly #options: GraphViewOptions
  readonly #surface: Surface
  readonly #stage: GraphStage
  readonly #events = new EventHub()
  readonly #endings: (() => void)[] = []
  #theme: GraphTheme
  #hovered = -1
  #selectedId: string | null = null
  #pathIds: readonly string[] = []
  #zoom = 0

  constructor(container: HTMLElement, options: GraphViewOptions) {
    this.#options = options
    this.#theme = themeOf(options.theme)
    this.#surface = createSurface(container)
    this.#surface.root.style.background = this.#theme.background
    const motion = matchMedia('(prefers-reduced-motion: reduce)')
    this.#stage = new GraphStage({
      surface: this.#surface,
      theme: this.#theme,
      options,
      isStill: () => options.reducedMotion ?? motion.matches,
      viewChanged: () => this.#reportZoom(),
      settled: () => this.#events.emit('settled', undefined),
    })
    this.#listen()
    if (options.testHandle) this.#endings.push(exposeTestHandle(this.#testHandle()))
  }

  setData: GraphView['setData'] = (data, { keepPositions = true } = {}) => {
    this.#change(this.#stage.model.changeTo(data), keepPositions)
  }

  update(change: GraphChange): void {
    this.#change(change, true)
  }

  setColors(colors: Readonly<Record<string, string>>): void {
    this.#stage.setColors(colors)
  }

  setTheme(theme: 'light' | 'dark' | GraphTheme): void {
    this.#theme = themeOf(theme)
    this.#surface.root.style.background = this.#theme.background
    this.#stage.setTheme(this.#theme)
  }

  select(id: string | null): void {
    this.#selectedId = id
    this.#announce()
    this.#emphasise()
  }

  highlightPath(ids: readonly string[]): void {
    this.#pathIds = [...ids]
    this.#emphasise()
  }

  hideTypes(types: ReadonlySet<string>): void {
    this.#stage.hideTypes(types)
    if (this.#hovered >= 0 && !this.#stage.isShown(this.#hovered)) this.#hover(-1)
  }

  focus(id: string): void {
    const node = this.#stage.model.indexOf.get(id)
    if (node === undefined || !this.#stage.hasPlaces) return
    this.#stage.stopFollowing()
    this.#stage.camera.flyTo(...this.#stage.placeOf(node))
  }

  fit(): void {
    this.#stage.fit()
  }

  resetZoom(): void {
    this.#stage.stopFollowing()
    this.#stage.camera.reset()
  }

  zoomBy(factor: number): void {
    this.#stage.stopFollowing()
    this.#stage.camera.zoomBy(factor)
  }

  exportPng({ area = 'view', scale = 2 }: ExportOptions = {}): Promise<Blob> {
    return this.#stage.png(area, scale)
  }

  exportSvg({ area = 'view' }: ExportOptions = {}): string {
    const { model, positions, visible, camera, colors, hasPlaces } = this.#stage
    return svgOf({
      model,
      positions: hasPlaces ? positions : new Float32Array(2 * model.nodes.length),
      visible,
      palette: model.palette(colors),
      theme: this.#theme,
      font: this.#options.font ?? { family: 'system-ui, sans-serif' },
      view: area === 'all' ? camera.fittingView() : camera.view,
      width: Math.round(camera.width),
      height: Math.round(camera.height),
    })
  }

  on: GraphView['on'] = (name, listener) => this.#events.on(name, listener)

  destroy(): void {
    for (const end of this.#endings.splice(0)) end()
    this.#events.clear()
    this.#stage.destroy()
    this.#surface.destroy()
  }

  #listen(): void {
    const { root } = this.#surface
    const stage = this.#stage
    const nodeById = () =>
      this.#selectedId === null ? -1 : (stage.model.indexOf.get(this.#selectedId) ?? -1)
    this.#endings.push(
      watchSize(root, (size) => stage.resize(size)),
      attachPointer(root, {
        camera: stage.camera,
        nodeAt: (x, y, slack) => stage.nodeAt(x, y, slack),
        placeOf: (node) => stage.placeOf(node),
        hover: (node) => this.#hover(node),
        click: (node) => this.#pick(node),
        activate: (node) => this.#activate(node),
        moveNode: (node, x, y) => stage.moveNode(node, x, y),
        dropNode: () => stage.dropNode(),
      }),
      attachKeyboard(root, {
        move: (direction) => this.#walk(nodeById(), direction),
        enter: () => (nodeById() >= 0 ? this.#activate(nodeById()) : this.#walk(-1, 'right')),
        clear: () => this.#clear(),
        zoomBy: (factor) => this.zoomBy(factor),
        reset: () => this.resetZoom(),
      }),
    )
  }

  #change(change: GraphChange, keepPositions: boolean): void {
    const { model } = this.#stage
    const hovered = model.nodes[this.#hovered]?.id
    const isSelected = () => this.#selectedId !== null && model.indexOf.has(this.#selectedId)
    const wasSelected = isSelected()
    this.#stage.update(change, keepPositions)
    this.#hovered = (hovered === undefined ? undefined : model.indexOf.get(hovered)) ?? -1
    if (wasSelected && !isSelected()) this.#pick(-1)
    else if (wasSelected !== isSelected()) this.#announce()
    this.#surface.describe(model.nodes.length, model.edges.length)
    this.#emphasise()
  }

  #node(index: number): GraphNode | null {
    return this.#stage.model.nodes[index] ?? null
  }

  #hover(node: number): void {
    this.#hovered = node
    this.#emphasise()
    this.#events.emit('hover', this.#node(node))
  }

  /** A person selects: unlike `select`, this is told. */
  #pick(node: number): void {
    const id = this.#node(node)?.id ?? null
    if (id === this.#selectedId) return
    this.select(id)
    this.#events.emit('select', this.#node(node))
  }

  #activate(node: number): void {
    const item = this.#node(node)
    if (item) this.#events.emit('activate', item)
  }

  /** From nothing to the node nearest to the middle, from a node to its neighbour in that direction. */
  #walk(from: number, direction: Direction): void {
    const stage = this.#stage
    const { camera, model, positions } = stage
    const grid = stage.grid()
    if (!grid) return
    let next: number
    if (from < 0) next = grid.nearest(...camera.toGraph(camera.width / 2, camera.height / 2))
    else {
      const shown = model.numbers.neighbours(from).filter((node) => node !== from && stage.isShown(node))
      // Who stands alone would be stuck otherwise.
      const candidates = shown.length > 0 ? shown : model.nodes.keys().filter((node) => stage.isShown(node))
      next = nearestInDirection(from, candidates, direction, positions)
    }
    if (next < 0) return
    stage.stopFollowing()
    this.#pick(next)
    camera.reveal(...stage.placeOf(next))
  }

  #clear(): boolean {
    if (this.#selectedId === null && this.#pathIds.length === 0) return false
    this.#pathIds = []
    this.#pick(-1)
    this.#emphasise()
    return true
  }

  #emphasise(): void {
    const { indexOf } = this.#stage.model
    const indexes = (ids: readonly string[]) => ids.map((id) => indexOf.get(id) ?? -1).filter((i) => i >= 0)
    const [selected = -1] = this.#selectedId === null ? [] : indexes([this.#selectedId])
    this.#stage.setEmphasis({ hovered: this.#hovered, selected, path: indexes(this.#pathIds) })
  }

  #announce(): void {
    const { model } = this.#stage
    const index = this.#selectedId === null ? undefined : model.indexOf.get(this.#selectedId)
    const node = index === undefined ? undefined : model.nodes[index]
    if (!node || index === undefined) {
      this.#surface.say('')
      return
    }
    const observations = counted(node.observationsCount, 'observation', 'observations')
    const relations = counted(model.numbers.degree(index), 'relation', 'relations')
    this.#surface.say(`${node.name}, ${node.type}, ${observations}, ${relations}`)
  }

  #reportZoom(): void {
    const { level } = this.#stage.camera
    if (Math.abs(level - this.#zoom) < 1e-6) return
    this.#zoom = level
    this.#events.emit('zoom', level)
  }

  #testHandle() {
    const stage = this.#stage
    return {
      screen: (id: string) => {
        const node = stage.model.indexOf.get(id)
        if (node === undefined || !stage.hasPlaces) return null
        const [x, y] = stage.camera.toScreen(...stage.placeOf(node))
        const box = this.#surface.root.getBoundingClientRect()
        return { x: box.left + x, y: box.top + y }
      },
      positions: () =>
        Object.fromEntries(
          stage.hasPlaces ? stage.model.nodes.map((node, i) => [node.id, stage.placeOf(i)] as const) : [],
        ),
      settled: () => stage.settled,
      zoom: () => stage.camera.level,
      selected: () => this.#selectedId,
    }
  }
}
