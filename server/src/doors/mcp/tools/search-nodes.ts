import { z } from 'zod'
import { searchNodes } from '../../../features/memories/read-memories.ts'
import { defineTool, reads } from '../tool.ts'
import { GraphOut, graphAnswer, limitedQuery } from './shapes.ts'

export const searchNodesTool = defineTool({
  name: 'search_nodes',
  title: 'Search Nodes',
  description:
    'Search memory for known entities by words: the best first, whole, with the relations that touch them. For single ' +
    'facts, recall answers shorter.',
  input: z.object({
    query: limitedQuery.describe(
      'The search query to match against entity names, types, and observation content',
    ),
    limit: z.number().int().min(1).max(50).default(10).describe('Maximum entities'),
  }),
  output: GraphOut,
  annotations: reads,
  meta: { 'anthropic/searchHint': 'find remembered entities by words' },
  right: 'memory:read',
  operation: 'query',
  proposedFor: ({ query }) => ({ query }),
  run: async (ctx, actor, { query, limit }) => graphAnswer(await searchNodes(ctx, actor, query, limit)),
})
