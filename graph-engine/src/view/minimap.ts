import type { GraphStage } from './graph-stage.ts'

const nodesMin = 1000
const windowWidthMin = 1024
/** Shown from this many times the scale at which everything fits. */
const zoomMin = 2
const margin = 6

/** A picture of the whole graph with a frame around the visible part; pressing it moves the view there. */
export class Minimap {
  readonly #stage: GraphStage
  readonly #element: HTMLElement
  readonly #canvas = document.createElement('canvas')
  readonly #frame = document.createElement('div')
  readonly #listeners = new AbortController()
  #scale = 1
  #left = 0
  #top = 0

  constructor(element: HTMLElement, stage: GraphStage) {
    this.#element = element
    this.#stage = stage
    this.#canvas.setAttribute('aria-hidden', 'true')
    Object.assign(element.style, {
      position: element.style.position || 'relative',
      overflow: 'hidden',
      touchAction: 'none',
    })
    Object.assign(this.#canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%' })
    Object.assign(this.#frame.style, {
      position: 'absolute',
      left: '0',
      top: '0',
      border: '1.5px solid var(--graph-selection, currentColor)',
      borderRadius: '2px',
      pointerEvents: 'none',
      boxSizing: 'border-box',
    })
    element.append(this.#canvas, this.#frame)
    const { signal } = this.#listeners
    const go = (event: PointerEvent) => {
      if (event.buttons !== 1) return
      const box = element.getBoundingClientRect()
      const x = (event.clientX - box.left - this.#left) / this.#scale
      const y = (event.clientY - box.top - this.#top) / this.#scale
      stage.letGo()
      stage.camera.place = { x, y, k: stage.camera.view.k }
    }
    this.#canvas.addEventListener('contextrestored', () => this.draw(), { signal })
    element.addEventListener('pointerdown', go, { signal })
    element.addEventListener('pointermove', go, { signal })
    this.follow()
  }

  /** Call after the view moved. */
  follow(): void {
    const { camera, model } = this.#stage
    const isOfUse =
      model.nodes.length > nodesMin &&
      window.innerWidth >= windowWidthMin &&
      camera.view.k >= zoomMin * camera.fitScale &&
      this.#stage.hasPlaces
    const wasHidden = this.#element.hidden
    this.#element.hidden = !isOfUse
    if (!isOfUse) return
    if (wasHidden || this.#canvas.width <= 1) this.draw()
    const { left, top, width, height } = camera.free
    const [x1, y1] = camera.toGraph(left, top)
    const [x2, y2] = camera.toGraph(left + width, top + height)
    Object.assign(this.#frame.style, {
      transform: `translate(${x1 * this.#scale + this.#left}px, ${y1 * this.#scale + this.#top}px)`,
      width: `${(x2 - x1) * this.#scale}px`,
      height: `${(y2 - y1) * this.#scale}px`,
    })
  }

  /** Draws all nodes; once per layout. */
  draw(): void {
    const painter = this.#canvas.getContext('2d')
    const { positions, model, hasPlaces, visible } = this.#stage
    const { width, height } = this.#element.getBoundingClientRect()
    if (!painter || !hasPlaces || width === 0) return
    const ratio = devicePixelRatio || 1
    this.#canvas.width = Math.round(width * ratio)
    this.#canvas.height = Math.round(height * ratio)
    painter.scale(ratio, ratio)
    this.#measure(width, height)
    const palette = this.#stage.palette()
    const { color } = model.numbers
    // One colour at a time: changing it costs more than drawing the dots.
    const byType = Uint32Array.from(color.keys()).sort((a, b) => color[a]! - color[b]!)
    let type = -1
    for (const node of byType) {
      if (visible && visible[node] === 0) continue
      if (color[node] !== type) painter.fillStyle = palette[color[node]!]!.color
      type = color[node]!
      const x = positions[2 * node]! * this.#scale + this.#left
      const y = positions[2 * node + 1]! * this.#scale + this.#top
      painter.fillRect(x - 0.6, y - 0.6, 1.2, 1.2)
    }
  }

  #measure(width: number, height: number): void {
    const { bounds } = this.#stage.camera
    const { left, top, right, bottom } = bounds ?? { left: 0, top: 0, right: 1, bottom: 1 }
    this.#scale = Math.min(
      (width - 2 * margin) / (right - left || 1),
      (height - 2 * margin) / (bottom - top || 1),
    )
    this.#left = width / 2 - ((left + right) / 2) * this.#scale
    this.#top = height / 2 - ((top + bottom) / 2) * this.#scale
  }

  destroy(): void {
    this.#listeners.abort()
    this.#canvas.remove()
    this.#frame.remove()
  }
}
