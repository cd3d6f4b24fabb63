import { type Selection, select } from 'd3-selection'
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom'
import {
  type Bounds,
  centredView,
  fitView,
  levelOfScale,
  openingView,
  type ZoomRange,
  zoomLevelMin,
  zoomRange,
} from '../model/zoom-level.ts'
import type { ViewTransform } from '../protocol.ts'
import type { GraphCamera, GraphPadding } from '../types.ts'

const animationMs = 420
const zoomStepMs = 180

export type CameraOptions = {
  isStill: () => boolean
  changed: () => void
  /** The person has taken over: the view must no longer move by itself. */
  taken: () => void
  /** A gesture or an animation has ended. */
  ended: () => void
  /** Whether a pointer event can move the view. */
  accepts: (event: MouseEvent | TouchEvent) => boolean
}

/** The visible part of the graph: d3-zoom for wheel, pan and pinch, and animated moves. */
export class Camera {
  view: ViewTransform = { k: 1, x: 0, y: 0 }
  fitScale = 1
  width = 1
  height = 1
  #padding: GraphPadding = { left: 0, top: 0, right: 0, bottom: 0 }
  #range: ZoomRange = { one: 1, most: 4 }
  #bounds: Bounds | null = null
  #nodeCount = 0
  #reach = 0
  #flight = 0
  readonly #options: CameraOptions
  readonly #behavior: ZoomBehavior<HTMLElement, unknown>
  readonly #selection: Selection<HTMLElement, unknown, null, undefined>

  constructor(element: HTMLElement, options: CameraOptions) {
    this.#options = options
    this.#selection = select(element)
    this.#behavior = zoom<HTMLElement, unknown>()
      .clickDistance(4)
      .filter((event) => options.accepts(event))
      .extent(() => [
        [0, 0],
        [this.width, this.height],
      ])
      .on('start', (event: D3ZoomEvent<HTMLElement, unknown>) => {
        if (!event.sourceEvent) return
        this.#stopFlight()
      })
      .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => {
        const { k, x, y } = event.transform
        this.view = { k, x, y }
        if (event.sourceEvent) options.taken()
        options.changed()
      })
      .on('end', (event: D3ZoomEvent<HTMLElement, unknown>) => {
        if (event.sourceEvent) options.ended()
      })
  }

  /** Listens to the pointer. Call it after attaching the node drag, which has priority. */
  attach(): void {
    this.#selection.call(this.#behavior).on('dblclick.zoom', null)
  }

  detach(): void {
    this.#stopFlight()
    this.#selection.on('.zoom', null)
  }

  /** Whether the view moves by itself. */
  get flies(): boolean {
    return this.#flight !== 0
  }

  get level(): number {
    return levelOfScale(this.view.k, this.#range)
  }

  /** Keeps the centre where it is. */
  resize(width: number, height: number): void {
    const dx = (width - this.width) / 2
    const dy = (height - this.height) / 2
    this.width = width
    this.height = height
    this.#apply({ ...this.view, x: this.view.x + dx, y: this.view.y + dy })
  }

  /** Sets the current bounds of the graph, and how far its outlines reach beyond them. */
  setBounds(bounds: Bounds | null, nodeCount: number, reach: number): void {
    this.#bounds = bounds
    this.#nodeCount = nodeCount
    this.#reach = reach
    this.fitScale = this.fittingView().k
    this.#range = zoomRange(nodeCount, this.fitScale)
    this.#behavior.scaleExtent([zoomLevelMin * this.#range.one, this.#range.most])
  }

  /** The area not covered by panels, in pixels of the surface. At least a third of each side remains. */
  get free(): { left: number; top: number; width: number; height: number } {
    const { left, top, right, bottom } = this.#padding
    const width = Math.max(this.width / 3, this.width - left - right)
    const height = Math.max(this.height / 3, this.height - top - bottom)
    return {
      left: Math.min(left, this.width - width),
      top: Math.min(top, this.height - height),
      width,
      height,
    }
  }

  /** Width divided by height of the area to lay out the graph for; what covers its foot comes and goes. */
  get aspect(): number {
    const { top, width } = this.free
    return width / (this.height - top)
  }

  get bounds(): Bounds | null {
    return this.#bounds
  }

  /** Pixels per unit at 4x. */
  get scaleMax(): number {
    return this.#range.most
  }

  setPadding(padding: GraphPadding): void {
    this.#padding = padding
    this.setBounds(this.#bounds, this.#nodeCount, this.#reach)
  }

  fittingView(bounds = this.#bounds): ViewTransform {
    const { left, top, width, height } = this.free
    const { k, x, y } = fitView(bounds, width, height, this.#reach)
    return { k, x: x + left, y: y + top }
  }

  /** The view that a graph is first shown in. */
  openingView(): ViewTransform {
    const { left, top, width, height } = this.free
    const { k, x, y } = openingView(this.#bounds, width, height, this.#reach)
    return { k, x: x + left, y: y + top }
  }

  /** The centre of the free area in graph units. */
  get place(): GraphCamera {
    const [x, y] = this.toGraph(...this.#middle())
    return { x, y, k: this.view.k }
  }

  set place({ x, y, k }: GraphCamera) {
    this.#stopFlight()
    this.#apply(this.#centred(this.#within(k), x, y))
  }

  /** Animates to a box, with `margin` pixels around it and at most `scaleMax` pixels per unit. */
  flyToBox(bounds: Bounds, margin: number, scaleMax: number, animate: boolean): void {
    const { width, height } = this.free
    const room = Math.min(margin, width / 5, height / 5)
    const k = Math.min(
      (width - 2 * room) / Math.max(1, bounds.right - bounds.left),
      (height - 2 * room) / Math.max(1, bounds.bottom - bounds.top),
      scaleMax,
    )
    const x = (bounds.left + bounds.right) / 2
    const y = (bounds.top + bounds.bottom) / 2
    this.#go(this.#centred(this.#within(k), x, y), animate ? animationMs : 0)
  }

  /** Animates to a camera position read from `place`. */
  flyToPlace({ x, y, k }: GraphCamera, ms = animationMs): void {
    this.#go(this.#centred(k, x, y), ms)
  }

  #middle(): [x: number, y: number] {
    const { left, top, width, height } = this.free
    return [left + width / 2, top + height / 2]
  }

  #centred(k: number, x: number, y: number): ViewTransform {
    const [middleX, middleY] = this.#middle()
    return { k, x: middleX - x * k, y: middleY - y * k }
  }

  #within(k: number): number {
    return Math.min(this.#range.most, Math.max(zoomLevelMin * this.#range.one, k))
  }

  fit(animate: boolean): void {
    this.#go(this.fittingView(), animate ? animationMs : 0)
  }

  open(animate: boolean): void {
    this.#go(this.openingView(), animate ? animationMs : 0)
  }

  reset(): void {
    const { left, right, top, bottom } = this.#bounds ?? { left: 0, right: 0, top: 0, bottom: 0 }
    this.#go(this.#centred(this.#range.one, (left + right) / 2, (top + bottom) / 2), animationMs)
  }

  zoomBy(factor: number): void {
    const [x, y] = this.toGraph(...this.#middle())
    this.#go(this.#centred(this.#within(this.view.k * factor), x, y), zoomStepMs)
  }

  /** Centres a point, at a legible scale. */
  flyTo(x: number, y: number): void {
    const k = Math.min(this.#range.most, Math.max(this.view.k, 1))
    this.#go(this.#centred(k, x, y), animationMs)
  }

  /** Pans just far enough that a point is well inside the view. */
  reveal(x: number, y: number): void {
    const { k } = this.view
    const { left, top, width, height } = this.free
    const margin = Math.min(70, width / 4, height / 4)
    const sx = x * k + this.view.x - left
    const sy = y * k + this.view.y - top
    const dx = Math.max(0, margin - sx) - Math.max(0, sx - (width - margin))
    const dy = Math.max(0, margin - sy) - Math.max(0, sy - (height - margin))
    if (dx !== 0 || dy !== 0) this.#go({ k, x: this.view.x + dx, y: this.view.y + dy }, zoomStepMs)
  }

  toGraph(x: number, y: number): [x: number, y: number] {
    return [(x - this.view.x) / this.view.k, (y - this.view.y) / this.view.k]
  }

  toScreen(x: number, y: number): [x: number, y: number] {
    return [x * this.view.k + this.view.x, y * this.view.k + this.view.y]
  }

  #go(to: ViewTransform, ms: number): void {
    this.#stopFlight()
    if (ms === 0 || this.#options.isStill()) {
      this.#apply(to)
      this.#options.ended()
      return
    }
    const from = this.view
    const begun = performance.now()
    const middle = (view: ViewTransform) => [
      (this.width / 2 - view.x) / view.k,
      (this.height / 2 - view.y) / view.k,
    ]
    const [fromX, fromY] = middle(from) as [number, number]
    const [toX, toY] = middle(to) as [number, number]
    const step = () => {
      const progress = Math.min(1, (performance.now() - begun) / ms)
      const eased = progress < 0.5 ? 4 * progress ** 3 : 1 - (2 - 2 * progress) ** 3 / 2
      const k = from.k * (to.k / from.k) ** eased
      // Panning keeps pace with zooming, so that the target stays in view on the way.
      const share = Math.abs(to.k - from.k) < 1e-9 ? eased : (1 / k - 1 / from.k) / (1 / to.k - 1 / from.k)
      this.#apply(
        centredView(k, fromX + (toX - fromX) * share, fromY + (toY - fromY) * share, this.width, this.height),
      )
      this.#flight = progress < 1 ? requestAnimationFrame(step) : 0
      if (progress === 1) this.#options.ended()
    }
    this.#flight = requestAnimationFrame(step)
  }

  #stopFlight(): void {
    cancelAnimationFrame(this.#flight)
    this.#flight = 0
  }

  #apply({ k, x, y }: ViewTransform): void {
    this.#behavior.transform(this.#selection, zoomIdentity.translate(x, y).scale(k))
  }
}
