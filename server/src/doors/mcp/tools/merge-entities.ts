import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { mergeNamedEntities } from '../../../features/memories/correct-memories.ts'
import { changes, defineTool } from '../tool.ts'
import { bounded, waitingNotice } from './shapes.ts'
import { takeShort } from './short-answers.ts'

export const mergeEntitiesTool = defineTool({
  name: 'merge_entities',
  title: 'Merge Entities',
  description: 'Merge entities that are the same thing; their names become aliases.',
  input: z.strictObject({
    names: bounded(StorableText).describe('The entities to merge'),
    into: StorableText.describe('The entity to keep'),
  }),
  output: z.object({
    ...waitingNotice,
    name: z.string(),
    aliases: z.array(z.string()),
    observations: z.number().int().describe('How many it has now'),
  }),
  annotations: { ...changes, idempotentHint: false },
  meta: { 'anthropic/searchHint': 'join duplicate entities into one' },
  right: 'memory:write',
  operation: 'update',
  resource: 'entity',
  async run(ctx, actor, args) {
    const { aliases, ...merged } = await mergeNamedEntities(ctx, actor, args)
    return { structured: { ...merged, aliases: takeShort(aliases) } }
  },
})
