import { z } from 'zod'
import { listDuplicates } from '../../../features/duplicates/duplicates.service.ts'
import { contentCharactersMax } from '../../../features/memories/answer-size.ts'
import { takeFitting } from '../../../ground/lib/json-size.ts'
import { defineTool, reads } from '../tool.ts'

export const findDuplicatesTool = defineTool({
  name: 'find_duplicates',
  title: 'Find Duplicates',
  description: 'Pairs that may be one entity, with reasons, likeliest first; merge_entities joins them.',
  input: z.object({
    limit: z.number().int().min(1).max(100).default(20).describe('Maximum pairs'),
  }),
  output: z.object({
    notice: z.string().optional(),
    duplicates: z.array(
      z.object({
        names: z.array(z.string()),
        into: z.string().describe('The one to keep'),
        score: z.number(),
        reasons: z.array(z.string()),
      }),
    ),
  }),
  annotations: reads,
  meta: { 'anthropic/searchHint': 'entities remembered twice under two names' },
  right: 'memory:read',
  operation: 'query',
  resource: 'duplicate',
  async run(ctx, actor, { limit }) {
    const { duplicates, total } = await listDuplicates(ctx, actor, { limit })
    const pairs = duplicates.map(({ entities: [keep, go], score, reasons }) => ({
      names: [go.name],
      into: keep.name,
      score,
      reasons: reasons.map(({ text }) => text),
    }))
    const { taken } = takeFitting(pairs, contentCharactersMax)
    const left = total - taken.length
    const notice =
      left > 0 ? `${left} more pairs may be duplicates: merge these first, then ask again.` : undefined
    return { structured: { duplicates: taken }, notice }
  },
})
