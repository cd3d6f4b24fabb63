import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { findNamedPath } from '../../../features/memories/explore-memories.ts'
import { defineTool, reads } from '../tool.ts'
import { graphAnswer, RelationFound } from './shapes.ts'

export const findPathTool = defineTool({
  name: 'find_path',
  title: 'Find Path',
  description:
    'The shortest path between two entities: how is A connected to B? Relations are followed in both directions, up to ' +
    '12.',
  input: z.object({
    from: StorableText.describe('Exact name of the first'),
    to: StorableText.describe('Exact name of the second'),
  }),
  output: z.object({
    notice: z.string().optional().describe('Present if not all of it fits'),
    entities: z
      .array(z.object({ name: z.string(), entityType: z.string(), observationsCount: z.number().int() }))
      .describe('In the order of the path'),
    relations: z.array(RelationFound).describe('The relations along it'),
  }),
  annotations: reads,
  meta: { 'anthropic/searchHint': 'how two remembered things are connected' },
  hasView: true,
  right: 'memory:read',
  operation: 'query',
  run: async (ctx, actor, { from, to }) => graphAnswer(await findNamedPath(ctx, actor, from, to)),
})
