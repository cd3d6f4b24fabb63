import type { EntityWithObservations } from '@loci/contract/entities'
import type { GraphData } from '@loci/contract/graph'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../../lib/api.ts'
import { whileLive } from '../../lib/live.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { fallbackGraph } from './fallback-graph.ts'
import { fetchLargeGraph } from './fetch-large-graph.ts'
import { answerLimitMax, isLarge } from './graph-address.ts'
import type { Expansion } from './guests.ts'
import { LiveGraph } from './live-graph.ts'
import { GraphRenewal } from './renew-graph.ts'

const miniDepth = '1'
const miniLimit = '50'
const expansionDepth = '2'
const expansionLimit = '1000'

/** The neighbourhood of an entity; built from its observations if the graph fails to load. */
export function useEntityGraph(entity: EntityWithObservations, asOf?: string) {
  return useQuery({
    queryKey:
      asOf === undefined ? queryKeys.entityGraph(entity.id) : queryKeys.past(asOf, 'graph', entity.id),
    queryFn: ({ signal }): Promise<GraphData> =>
      api
        .graphData({ query: { rootEntityId: entity.id, depth: miniDepth, limit: miniLimit, asOf }, signal })
        .catch((error: unknown) => {
          if (signal.aborted) throw error
          return fallbackGraph(entity)
        }),
  })
}

/** The graph, starting with its most connected entities. Live events and refetches update it in place. */
export function useGraph(limit: number, depth: number) {
  return useQuery({
    queryKey: queryKeys.graphOf(limit, depth),
    queryFn: async ({ signal, client, queryKey }) => {
      const graph = client.getQueryData<LiveGraph>(queryKey) ?? new LiveGraph()
      if (isLarge(limit)) return fetchLargeGraph(graph, limit, depth, signal)
      const query = { limit: String(limit), depth: String(depth) }
      return takeAnswer(graph, await api.graphData({ query, signal }))
    },
    staleTime: whileLive,
    // The graph changes in place.
    structuralSharing: false,
  })
}

/** The graph as of a moment; of a large graph, as much as one response holds. */
export function useGraphAsOf(limit: number, depth: number, asOf: string | undefined) {
  return useQuery({
    queryKey: queryKeys.past(asOf ?? '', 'graph', String(limit), String(depth)),
    queryFn: async ({ signal }) => {
      const query = { limit: String(Math.min(limit, answerLimitMax)), depth: String(depth), asOf: asOf! }
      return takeAnswer(new LiveGraph(), await api.graphData({ query, signal }))
    },
    enabled: asOf !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}

/** The graph to show: the present one, or the past one once it has arrived. */
export function useShownGraph(limit: number, depth: number, asOf: string | undefined) {
  const now = useGraph(limit, depth)
  const then = useGraphAsOf(limit, depth, asOf)
  const isPast = asOf !== undefined
  return {
    graph: (isPast ? then.data : undefined) ?? now.data,
    present: now.data,
    error: isPast ? then.error : now.error,
    isFetching: now.isFetching || (isPast && then.isFetching),
    refetch: () => void (isPast ? then.refetch() : now.refetch()),
  }
}

function takeAnswer(graph: LiveGraph, answer: GraphData): LiveGraph {
  const renewal = new GraphRenewal(graph)
  renewal.take(answer)
  return renewal.end(answer.truncated)
}

/** The surroundings of each entity, as far as they have arrived. */
export function useExpansions(ids: readonly string[], asOf: string | undefined): Expansion[] {
  return useQueries({
    queries: ids.map((rootEntityId) => ({
      queryKey:
        asOf === undefined
          ? queryKeys.graphExpansion(rootEntityId)
          : queryKeys.past(asOf, 'graph expansion', rootEntityId),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.graphData({
          query: { rootEntityId, depth: expansionDepth, limit: expansionLimit, asOf },
          signal,
        }),
      staleTime: whileLive,
    })),
    combine: useCallback(
      (results: { data?: GraphData }[]) =>
        results.flatMap(({ data }, index) => (data ? [{ rootId: ids[index]!, graph: data }] : [])),
      [ids],
    ),
  })
}

/** The shortest path between two entities; fetched once both are known. */
export function useShortestPath(from: string | undefined, to: string | undefined) {
  return useQuery({
    queryKey: queryKeys.graphPath(from ?? '', to ?? ''),
    queryFn: ({ signal }) => api.shortestPath({ query: { from: from!, to: to! }, signal }),
    enabled: from !== undefined && to !== undefined,
  })
}
