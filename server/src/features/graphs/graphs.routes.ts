import type { Handlers } from '../../http/routes.ts'
import { getGraphData, getNeighbourhood, getShortestPath } from './graphs.service.ts'

export const graphRoutes: Handlers<'graphData' | 'shortestPath' | 'neighbourhood'> = {
  graphData: ({ ctx, actor, query }) => getGraphData(ctx, actor, query),
  shortestPath: ({ ctx, actor, query }) => getShortestPath(ctx, actor, query.from, query.to),
  neighbourhood: ({ ctx, actor, params, query }) => getNeighbourhood(ctx, actor, params.id, query.depth),
}
