import type { GraphEvents, GraphListener } from '../types.ts'

/** The listeners of one view. */
export class EventHub {
  readonly #listeners = new Map<keyof GraphEvents, Set<GraphListener<never>>>()

  on<Name extends keyof GraphEvents>(name: Name, listener: GraphListener<Name>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  emit<Name extends keyof GraphEvents>(name: Name, value: GraphEvents[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) (listener as GraphListener<Name>)(value)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
