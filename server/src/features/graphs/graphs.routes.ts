import { Readable } from 'node:stream'
import type { Handlers } from '../../doors/http/routes.ts'
import { getGraphData, getNeighbourhood, getShortestPath } from './graphs.service.ts'
import { listNotes } from './list-notes.ts'
import { streamGraph } from './stream-graph.ts'

export const graphRoutes: Handlers<
  'graphData' | 'graphStream' | 'graphNotes' | 'shortestPath' | 'neighbourhood'
> = {
  graphData: ({ ctx, actor, query }) => getGraphData(ctx, actor, query),
  graphStream: async ({ ctx, actor, query }) =>
    Readable.from(streamGraph(ctx, actor, query), { objectMode: false }),
  graphNotes: async ({ ctx, actor, query }) => ({ notes: await listNotes(ctx, actor, query.ids) }),
  shortestPath: ({ ctx, actor, query }) => getShortestPath(ctx, actor, query.from, query.to),
  neighbourhood: ({ ctx, actor, params, query }) => getNeighbourhood(ctx, actor, params.id, query),
}
