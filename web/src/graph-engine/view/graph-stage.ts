import { GraphModel } from '../model/graph-model.ts'
import { HitGrid } from '../model/hit-grid.ts'
import { placeNewNodes } from '../model/placement.ts'
import { boundsOf } from '../model/zoom-level.ts'
import type { Emphasis, LayoutReply } from '../protocol.ts'
import type { GraphData, GraphTheme, GraphViewOptions } from '../types.ts'
import { Camera } from './camera.ts'
import { type GraphWorkers, startWorkers } from './graph-workers.ts'
import type { Surface, SurfaceSize } from './surface.ts'

/** So many newcomers for each node that is there make a new graph, not an addition to the old one. */
const newcomersFew = 500
const newcomersRatioMax = 3
const additionAlpha = 0.5
const appearMs = 220

export type StageOptions = {
  surface: Surface
  theme: GraphTheme
  options: GraphViewOptions
  isStill: () => boolean
  viewChanged: () => void
  settled: () => void
}

/** The graph on its canvases: data, places, camera and workers, without what a person does with it. */
export class GraphStage {
  readonly camera: Camera
  model = new GraphModel({ nodes: [], edges: [] })
  positions: Float32Array = new Float32Array(0)
  visible: Uint8Array | null = null
  colors: Readonly<Record<string, string>>
  readonly #stage: StageOptions
  readonly #workers: GraphWorkers
  #hiddenTypes: ReadonlySet<string> = new Set()
  #grid: HitGrid | null = null
  #version = 0
  #alpha = 1
  #resting = true
  /** Whether the view still follows the layout: until a person moves it. */
  #following = true
  #positionsChanged = false
  #frame = 0
  #sent = 0
  #drawn = 0
  #held: { node: number; x: number; y: number } | null = null
  /** 1 for nodes that the layout under way must not move; null: all may. */
  #frozen: Uint8Array | null = null

  constructor(stage: StageOptions) {
    this.#stage = stage
    this.colors = stage.options.colors ?? {}
    this.camera = new Camera(stage.surface.root, {
      isStill: stage.isStill,
      changed: () => {
        this.#askFrame()
        stage.viewChanged()
      },
      taken: () => this.stopFollowing(),
    })
    this.#workers = startWorkers({
      positions: (reply) => this.#receive(reply),
      drawn: ({ version, received, complete }) => {
        if (complete) this.#drawn = received
        if (version > 0) this.#appear()
      },
      ready: (renderer) => {
        stage.surface.root.dataset.renderer = renderer
      },
    })
    const base = stage.surface.base.transferControlToOffscreen()
    const overlay = stage.surface.overlay.transferControlToOffscreen()
    const { font = { family: 'system-ui, sans-serif' }, renderer = 'auto' } = stage.options
    this.#render({ kind: 'init', base, overlay, renderer, theme: stage.theme, font }, [base, overlay])
  }

  get settled(): boolean {
    return this.#resting && this.#drawn === this.#sent && this.#frame === 0
  }

  get hasPlaces(): boolean {
    return this.positions.length === 2 * this.model.nodes.length
  }

  setData(data: GraphData, keepPositions: boolean): void {
    const before = this.model
    const hadPlaces = this.hasPlaces && before.nodes.length > 0
    this.model = new GraphModel(data)
    this.#version++
    this.#grid = null
    this.#held = null
    this.visible = this.model.visibility(this.#hiddenTypes)
    this.#render({ kind: 'data', data: this.model.renderData(this.#version, this.colors) })
    this.#render({ kind: 'visible', visible: this.visible })

    const placed = keepPositions && hadPlaces ? this.model.positionsFrom(before, this.positions) : null
    const known = placed && isAddition(placed) ? placeNewNodes(placed, () => this.model.adjacency) : null
    if (placed && known) {
      this.positions = placed
      this.#positionsChanged = true
      this.#sendFrame()
      this.#goOn(before, placed, known)
    } else {
      this.positions = new Float32Array(0)
      this.#following = true
      this.#frozen = null
      this.#startLayout(null, 1)
    }
  }

  setColors(colors: Readonly<Record<string, string>>): void {
    this.colors = colors
    this.#render({ kind: 'palette', palette: this.model.palette(colors) })
  }

  setTheme(theme: GraphTheme): void {
    this.#render({ kind: 'theme', theme })
  }

  hideTypes(types: ReadonlySet<string>): void {
    this.#hiddenTypes = new Set(types)
    this.visible = this.model.visibility(this.#hiddenTypes)
    this.#grid = null
    this.#render({ kind: 'visible', visible: this.visible })
    this.#measure()
  }

  setEmphasis(emphasis: Emphasis): void {
    this.#render({ kind: 'emphasis', emphasis, still: this.#stage.isStill() })
  }

  resize({ width, height, pixelRatio }: SurfaceSize): void {
    this.camera.resize(width, height)
    this.#measure()
    if (this.#following) this.camera.fit(false)
    // The view first: the worker draws at once when its canvases change size.
    this.#sendFrame()
    this.#render({ kind: 'resize', width, height, pixelRatio })
  }

  fit(): void {
    this.#following = true
    this.camera.fit(true)
  }

  stopFollowing(): void {
    this.#following = false
  }

  isShown(node: number): boolean {
    return this.visible === null || this.visible[node] === 1
  }

  placeOf(node: number): [x: number, y: number] {
    return [this.positions[2 * node] ?? 0, this.positions[2 * node + 1] ?? 0]
  }

  /** The node under a point of the surface, -1 for none. */
  nodeAt(x: number, y: number, slack: number): number {
    return this.grid()?.find(...this.camera.toGraph(x, y), this.camera.view.k, slack) ?? -1
  }

  grid(): HitGrid | null {
    if (!this.hasPlaces) return null
    this.#grid ??= new HitGrid(this.positions, this.model.radius, this.visible)
    return this.#grid
  }

  moveNode(node: number, x: number, y: number): void {
    this.stopFollowing()
    this.#held = { node, x, y }
    this.#hold()
    // Drawn before the layout answers, which takes a second in a very large graph.
    this.#render({ kind: 'move', node, x, y })
    const reheat = !this.#stage.isStill()
    if (reheat) {
      // The others give way to a hand.
      this.#frozen = new Uint8Array(this.model.nodes.length)
      this.#frozen[node] = 1
      this.#resting = false
    }
    this.#workers.layout({ kind: 'pin', node, x, y, reheat })
  }

  dropNode(): void {
    this.#held = null
    this.#workers.layout({ kind: 'drop' })
  }

  png(area: 'view' | 'all', scale: number): Promise<Blob> {
    const { width, height } = this.camera
    const view = area === 'all' ? this.camera.fittingView() : this.camera.view
    return this.#workers.png({ width, height, scale, view })
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame)
    this.camera.detach()
    this.#workers.terminate()
  }

  /** What is still untangling goes on doing so; what had come to rest stays where it is. */
  #goOn(before: GraphModel, placed: Float32Array, known: Uint8Array): void {
    if (!this.#resting && this.#alpha > additionAlpha / 10) {
      this.#frozen = this.#frozen && this.model.takenOver(before, this.#frozen)
      this.#startLayout(placed, this.#alpha)
    } else {
      this.#frozen = known
      this.#startLayout(placed, known.every((value) => value === 1) ? 0 : additionAlpha)
    }
  }

  #startLayout(positions: Float32Array | null, alpha: number): void {
    const { source, target, radius, nodes } = this.model
    this.#resting = false
    const request = {
      version: this.#version,
      nodeCount: nodes.length,
      source,
      target,
      radius,
      positions,
      frozen: this.#frozen,
      alpha,
      aspect: this.camera.width / this.camera.height,
      still: this.#stage.isStill(),
    }
    this.#workers.layout({ kind: 'start', ...request })
  }

  #receive(reply: LayoutReply): void {
    if (reply.version !== this.#version) return
    const first = !this.hasPlaces
    this.positions = reply.positions
    this.#alpha = reply.alpha
    this.#grid = null
    this.#hold()
    this.#measure()
    this.#positionsChanged = true
    if (this.#following) this.camera.fit(!first && reply.done && this.#isFarFromFit())
    this.#askFrame()
    this.#resting = reply.done
    if (reply.done) this.#stage.settled()
  }

  #isFarFromFit(): boolean {
    const fitting = this.camera.fittingView()
    return Math.abs(Math.log(fitting.k / this.camera.view.k)) > 0.05
  }

  /** What is in the hand is where the hand is. */
  #hold(): void {
    if (!this.#held || !this.hasPlaces) return
    this.positions[2 * this.#held.node] = this.#held.x
    this.positions[2 * this.#held.node + 1] = this.#held.y
    this.#grid = null
  }

  #measure(): void {
    if (this.hasPlaces) this.camera.setBounds(boundsOf(this.positions, this.visible), this.model.nodes.length)
  }

  #askFrame(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => this.#sendFrame())
  }

  #sendFrame(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    const positions = this.#positionsChanged && this.hasPlaces ? this.positions.slice() : null
    this.#positionsChanged = false
    const { view, fitScale } = this.camera
    const settled = positions !== null && this.#resting
    this.#render({ kind: 'frame', positions, settled, view, fitScale }, positions ? [positions.buffer] : [])
  }

  #render(...[request, transfer]: Parameters<GraphWorkers['render']>): void {
    this.#sent++
    this.#workers.render(request, transfer)
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

function isAddition(placed: Float32Array): boolean {
  let known = 0
  for (let i = 0; i < placed.length; i += 2) if (!Number.isNaN(placed[i]!)) known++
  const newcomers = placed.length / 2 - known
  return known > 0 && (newcomers <= newcomersFew || newcomers <= known * newcomersRatioMax)
}
