import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { openNodesAsOf, toPast } from '../../../features/memories/past-graph.ts'
import { openNodes } from '../../../features/memories/read-memories.ts'
import { defineTool, reads } from '../tool.ts'
import { bounded, GraphOut, graphAnswer, PastMoment, toPastMoment, WithParts } from './shapes.ts'

export const openNodesTool = defineTool({
  name: 'open_nodes',
  title: 'Open Nodes',
  description:
    'Open specific nodes in the knowledge graph by their names, with all their observations and the relations that ' +
    'touch them. Names must be exact.',
  input: z.object({
    names: bounded(StorableText).describe('An array of entity names to retrieve'),
    limit: z.number().int().min(1).max(1_000).optional().describe('Maximum entities'),
    after: StorableText.optional().describe('Where to continue, from the notice'),
    asOf: PastMoment,
    with: WithParts,
  }),
  output: GraphOut.extend({
    sources: z
      .array(
        z.object({
          entityName: z.string(),
          place: z.number().int().describe('Of its observations, from 1'),
          id: z.string(),
          by: z.string().optional(),
          source: z.string().optional(),
        }),
      )
      .optional(),
  }),
  annotations: reads,
  meta: { 'anthropic/searchHint': 'all that is remembered about a name' },
  hasView: true,
  right: 'memory:read',
  operation: 'query',
  resource: 'entity',
  proposedFor: ({ names, asOf }) => (asOf === undefined ? { names } : undefined),
  async run(ctx, actor, { names, asOf, ...page }) {
    const moment = toPastMoment(asOf, ctx.now())
    if (moment === undefined) return graphAnswer(await openNodes(ctx, actor, names, page))
    const past = await toPast(ctx, actor, moment)
    return graphAnswer(await openNodesAsOf(ctx, actor, names, { ...page, past }))
  },
})
