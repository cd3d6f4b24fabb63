import type { ViewTransform } from '../protocol.ts'
import type { GraphWorkers } from './graph-workers.ts'

type Frame = { positions: Float32Array | null; settled: boolean; view: ViewTransform; fitScale: number }

/** Sends work to the renderer: at most one frame per screen refresh, and everything else immediately. */
export class Frames {
  readonly #workers: () => GraphWorkers
  readonly #next: () => Frame
  #frame = 0
  #sent = 0
  #drawn = 0

  /** @param next returns the next frame; with positions only if they have changed */
  constructor(workers: () => GraphWorkers, next: () => Frame) {
    this.#workers = workers
    this.#next = next
  }

  /** Whether everything sent has been drawn. */
  get done(): boolean {
    return this.#drawn === this.#sent && this.#frame === 0
  }

  /** The worker has drawn the first `received` requests completely. */
  drawn(received: number): void {
    this.#drawn = received
  }

  send(...[request, transfer]: Parameters<GraphWorkers['render']>): void {
    this.#sent++
    this.#workers().render(request, transfer)
  }

  ask(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => this.now())
  }

  now(): void {
    this.cancel()
    const { positions, ...rest } = this.#next()
    this.send({ kind: 'frame', positions, ...rest }, positions ? [positions.buffer] : [])
  }

  cancel(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
  }
}
