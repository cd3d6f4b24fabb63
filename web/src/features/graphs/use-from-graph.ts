import { useSyncExternalStore } from 'react'
import type { LiveGraph } from './live-graph.ts'

const notFollowing = () => () => {}

/**
 * What `read` finds in the graph, and again whenever that has become something else. For the same version of the graph
 * it must find the same.
 */
export function useFromGraph<T>(graph: LiveGraph, read: (graph: LiveGraph) => T): T
export function useFromGraph<T>(graph: LiveGraph | undefined, read: (graph: LiveGraph) => T): T | undefined
export function useFromGraph<T>(graph: LiveGraph | undefined, read: (graph: LiveGraph) => T): T | undefined {
  return useSyncExternalStore(graph?.follow ?? notFollowing, () => graph && read(graph))
}

/** The number of the graph's last change, for whoever shows much of it. */
export function useGraphVersion(graph: LiveGraph): number {
  return useFromGraph(graph, ({ version }) => version)
}
