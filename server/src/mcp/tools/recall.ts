import { ScoreParts } from '@loci/contract/search'
import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { recallMemories } from '../../features/memories/recall-memories.ts'
import { defineTool, reads } from '../tool.ts'
import { limitedMoment, limitedQuery } from './shapes.ts'

const Fact = z.object({ content: z.string(), createdAt: z.string() })

export const recall = defineTool({
  name: 'recall',
  title: 'Recall',
  description:
    'Find what is remembered: the observations that best answer a question in plain words, each with its entity, its ' +
    'date and what was said just before and after. Call it at the start of a task and whenever something may have come ' +
    'up before. Ask the whole question ("Where did Ada work in 2024?"); names and dates in it help.',
  input: z.object({
    query: limitedQuery.describe('The question, or words to look for'),
    limit: z.number().int().min(1).max(100).default(10).describe('Most observations to answer'),
    maxTokens: z
      .number()
      .int()
      .min(100)
      .max(20_000)
      .default(2_000)
      .describe('About how long the answer may be'),
    types: z.array(StorableText).max(50).optional().describe('Only entities of these types'),
    after: limitedMoment
      .optional()
      .describe('Only what was stored at or after this ISO-8601 date or date-time'),
    before: limitedMoment.optional().describe('Only what was stored before this ISO-8601 date or date-time'),
    context: z
      .number()
      .int()
      .min(0)
      .max(5)
      .default(1)
      .describe('How many neighbouring observations on each side'),
    expand: z.boolean().default(true).describe('Also what the graph connects to the best hits'),
    explain: z.boolean().default(false).describe('Also why each was found: the parts of its score'),
  }),
  output: z.object({
    observations: z.array(
      Fact.extend({
        entity: z.object({ name: z.string(), entityType: z.string() }),
        before: z.array(Fact).describe('What the entity has just before it'),
        after: z.array(Fact).describe('What the entity has just after it'),
        explain: ScoreParts.optional(),
      }),
    ),
    total: z.number().int().describe('How many observations match in all'),
    more: z.boolean().describe('True when the limit or the budget left some out'),
  }),
  annotations: reads,
  meta: { 'anthropic/alwaysLoad': true },
  operation: 'query',
  async run(ctx, actor, args) {
    const memories = await recallMemories(ctx, actor, args)
    return { structured: memories, text: toText(memories) }
  },
})

type Memories = Awaited<ReturnType<typeof recallMemories>>

/** As the model reads it: one observation a paragraph, its surroundings indented. */
function toText({ observations, total, more }: Memories): string {
  if (observations.length === 0) return 'Nothing is remembered about this.'
  const paragraphs = observations.map(({ entity, content, createdAt, before, after }) =>
    [
      ...before.map((fact) => `    (before) ${fact.content}`),
      `${entity.name} (${entity.entityType}), ${createdAt.slice(0, 10)}: ${content}`,
      ...after.map((fact) => `    (after) ${fact.content}`),
    ].join('\n'),
  )
  if (more)
    paragraphs.push(
      `(${observations.length} of ${total} matches; ask more precisely, or raise limit and maxTokens)`,
    )
  return paragraphs.join('\n\n')
}
