import type { EntityWithObservations } from '@loci/contract/entities'
import type { GraphData } from '@loci/contract/graph'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { fallbackGraph } from './fallback-graph.ts'

const miniDepth = '1'
const miniLimit = '50'

/** The neighbourhood of an entity; made of its observations when the graph cannot be had. */
export function useEntityGraph(entity: EntityWithObservations) {
  return useQuery({
    queryKey: queryKeys.entityGraph(entity.id),
    queryFn: ({ signal }): Promise<GraphData> =>
      api
        .graphData({ query: { rootEntityId: entity.id, depth: miniDepth, limit: miniLimit }, signal })
        .catch((error: unknown) => {
          if (signal.aborted) throw error
          return fallbackGraph(entity)
        }),
  })
}
