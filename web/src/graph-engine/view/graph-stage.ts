import { GraphModel } from '../model/graph-model.ts'
import { carryOver } from '../model/graph-numbers.ts'
import { HitGrid } from '../model/hit-grid.ts'
import { placeNewNodes } from '../model/placement.ts'
import { boundsOf } from '../model/zoom-level.ts'
import type { Emphasis, GraphPatch, LayoutReply } from '../protocol.ts'
import type { GraphChange, GraphTheme, GraphViewOptions } from '../types.ts'
import { Camera } from './camera.ts'
import { type GraphWorkers, startWorkers } from './graph-workers.ts'
import type { Surface, SurfaceSize } from './surface.ts'

/** So many newcomers for each node that is there make a new graph, not an addition to the old one. */
const newcomersFew = 500
const newcomersRatioMax = 3
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
  readonly model = new GraphModel()
  positions: Float32Array = new Float32Array(0)
  visible: Uint8Array | null = null
  colors: Readonly<Record<string, string>>
  readonly #stage: StageOptions
  readonly #workers: GraphWorkers
  #hiddenTypes: ReadonlySet<string> = new Set()
  #grid: HitGrid | null = null
  #version = 0
  #resting = true
  /** Whether the view still follows the layout: until a person moves it. */
  #following = true
  #positionsChanged = false
  #frame = 0
  #sent = 0
  #drawn = 0
  #held: { node: number; x: number; y: number } | null = null

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

  /** Nodes that stay keep their places, unless `keepPositions` is false or far more are new. */
  update(change: GraphChange, keepPositions: boolean): void {
    const hadPlaces = this.hasPlaces && this.positions.length > 0
    const before = this.model.nodes.length
    const patch = this.model.apply(change, this.colors)
    const changed = patch.version !== this.#version
    if (!changed && patch.nodes.index.length === 0 && patch.edges.index.length === 0) return
    this.#version = patch.version
    this.#render({ kind: 'change', patch })
    this.#show()
    const newcomers = this.model.nodes.length - before + patch.nodesGone.length
    if (changed) this.#lay(patch, newcomers, hadPlaces && keepPositions)
    else this.#tellLayout(patch, 0, null)
  }

  setColors(colors: Readonly<Record<string, string>>): void {
    this.colors = colors
    this.#render({ kind: 'palette', palette: this.model.palette(colors) })
  }

  setTheme(theme: GraphTheme): void {
    this.#render({ kind: 'theme', theme })
  }

  hideTypes(types: ReadonlySet<string>): void {
    if (types.symmetricDifference(this.#hiddenTypes).size === 0) return
    this.#hiddenTypes = new Set(types)
    this.#show()
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
    this.#grid ??= new HitGrid(this.positions, this.model.numbers.radius, this.visible)
    return this.#grid
  }

  moveNode(node: number, x: number, y: number): void {
    this.stopFollowing()
    this.#held = { node, x, y }
    this.#hold()
    // Drawn before the layout answers, which takes a second in a very large graph.
    this.#render({ kind: 'move', node, x, y })
    const reheat = !this.#stage.isStill()
    // The others give way to a hand.
    if (reheat) this.#resting = false
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

  /** Tells the drawing what is shown. */
  #show(): void {
    const before = this.visible
    this.visible = this.model.visibility(this.#hiddenTypes)
    this.#grid = null
    if (before || this.visible) this.#render({ kind: 'visible', visible: this.visible })
  }

  /** Finds places for what has come, or for all. */
  #lay(patch: GraphPatch, newcomers: number, keepPositions: boolean): void {
    const { numbers } = this.model
    const known = numbers.nodeCount - newcomers
    const stays = keepPositions && isAddition(known, newcomers)
    this.positions = stays ? carryOver(this.positions, 2, patch, Number.NaN) : new Float32Array(0)
    this.#held = null
    this.#resting = false
    if (stays) {
      placeNewNodes(this.positions, numbers, known)
      this.#positionsChanged = true
      this.#sendFrame()
    } else this.#following = true
    this.#tellLayout(patch, newcomers, stays ? this.positions : null)
  }

  #tellLayout(patch: GraphPatch, newcomers: number, positions: Float32Array | null): void {
    const { width, height } = this.camera
    this.#workers.layout({
      kind: 'change',
      // The names would only be copied.
      patch: { ...patch, nodes: { ...patch.nodes, labels: [] } },
      positions,
      newcomers,
      aspect: width / height,
      still: this.#stage.isStill(),
    })
  }

  #receive(reply: LayoutReply): void {
    if (reply.version !== this.#version) return
    const first = !this.hasPlaces
    this.positions = reply.positions
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

function isAddition(known: number, newcomers: number): boolean {
  return known > 0 && (newcomers <= newcomersFew || newcomers <= known * newcomersRatioMax)
}
