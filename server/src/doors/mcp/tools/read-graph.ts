import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { readGraphAsOf, toPast } from '../../../features/memories/past-graph.ts'
import { readGraph } from '../../../features/memories/read-memories.ts'
import { defineTool, reads } from '../tool.ts'
import { GraphOut, graphAnswer, PastMoment, toPastMoment } from './shapes.ts'

export const readGraphTool = defineTool({
  name: 'read_graph',
  title: 'Read Graph',
  description:
    'Read the entire knowledge graph, oldest entities first, in parts. To find something, use ' +
    'recall or search_nodes.',
  input: z.object({
    after: StorableText.optional().describe('Where to continue, from the notice'),
    asOf: PastMoment,
  }),
  output: GraphOut,
  annotations: reads,
  meta: { 'anthropic/searchHint': 'everything in memory', 'anthropic/maxResultSizeChars': 200_000 },
  right: 'memory:read',
  operation: 'query',
  proposedFor: ({ asOf }) => (asOf === undefined ? {} : undefined),
  async run(ctx, actor, { after, asOf }) {
    const moment = toPastMoment(asOf, ctx.now())
    if (moment === undefined) return graphAnswer(await readGraph(ctx, actor, after))
    const past = await toPast(ctx, actor, moment)
    return graphAnswer(await readGraphAsOf(ctx, actor, { past, after }))
  },
})
