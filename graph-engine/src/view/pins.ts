import type { GraphModel } from '../model/graph-model.ts'
import type { Pins } from '../protocol.ts'

type Place = readonly [x: number, y: number]

/** The pinned nodes, by id, and their positions. */
export class PinBook {
  readonly #places = new Map<string, Place>()

  get size(): number {
    return this.#places.size
  }

  ids(): string[] {
    return [...this.#places.keys()]
  }

  places(): Record<string, [x: number, y: number]> {
    return Object.fromEntries([...this.#places].map(([id, [x, y]]) => [id, [x, y]]))
  }

  has(id: string): boolean {
    return this.#places.has(id)
  }

  set(id: string, place: Place): void {
    this.#places.set(id, place)
  }

  delete(id: string): void {
    this.#places.delete(id)
  }

  clear(): void {
    this.#places.clear()
  }

  /** The pins of nodes in the graph, in the workers' form. */
  rows({ indexOf }: GraphModel): Pins {
    const held = [...this.#places].filter(([id]) => indexOf.has(id))
    return {
      nodes: Uint32Array.from(held, ([id]) => indexOf.get(id)!),
      places: Float32Array.from(held.flatMap(([, place]) => [...place])),
    }
  }
}
