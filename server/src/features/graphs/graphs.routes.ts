import type { GraphData } from '@loci/contract/graph'
import type { FastifyReply } from 'fastify'
import { inPieces } from '../../doors/http/long-answer.ts'
import type { Handlers } from '../../doors/http/routes.ts'
import { streamWhileValid } from '../../doors/http/while-valid.ts'
import { getGraphData, getNeighbourhood, getShortestPath } from './graphs.service.ts'
import { listNotes } from './list-notes.ts'
import { streamGraph } from './stream-graph.ts'

export const graphRoutes = {
  graphData: async ({ ctx, actor, query, reply }) => sent(reply, await getGraphData(ctx, actor, query)),
  graphStream: async (call) =>
    streamWhileValid(call, 'memory:read', streamGraph(call.ctx, call.actor, call.query)),
  graphNotes: async ({ ctx, actor, query }) => ({ notes: await listNotes(ctx, actor, query.ids) }),
  shortestPath: ({ ctx, actor, query }) => getShortestPath(ctx, actor, query.from, query.to),
  neighbourhood: async ({ ctx, actor, params, query, reply }) =>
    sent(reply, await getNeighbourhood(ctx, actor, params.id, query)),
} satisfies Partial<Handlers>

/** More relations are sent in pieces. */
const relationsAtOnceMax = 1_000

function sent(reply: FastifyReply, graph: GraphData): GraphData {
  return graph.relations.length > relationsAtOnceMax ? inPieces(reply, graph) : graph
}
