import { useSyncExternalStore } from 'react'
import type { LiveGraph } from './live-graph.ts'

const notFollowing = () => () => {}

/**
 * The result of `read` on the graph; rerenders whenever it changes. `read` must return the same value for the
 * same version of the graph.
 */
export function useFromGraph<T>(graph: LiveGraph, read: (graph: LiveGraph) => T): T
export function useFromGraph<T>(graph: LiveGraph | undefined, read: (graph: LiveGraph) => T): T | undefined
export function useFromGraph<T>(graph: LiveGraph | undefined, read: (graph: LiveGraph) => T): T | undefined {
  return useSyncExternalStore(graph?.follow ?? notFollowing, () => graph && read(graph))
}

/** The graph's version, for components that show much of it. */
export function useGraphVersion(graph: LiveGraph): number {
  return useFromGraph(graph, ({ version }) => version)
}
