import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import type { DescribedCall } from '../../../features/memories/describe-call.ts'
import { listNamedChanges } from '../../../features/memories/list-changes.ts'
import { inLine } from '../../../ground/lib/for-models.ts'
import { readMoment } from '../../../search/ask/question-times.ts'
import { defineTool, reads } from '../tool.ts'
import { endOfMoment, limitedMoment } from './shapes.ts'

export const listChangesTool = defineTool({
  name: 'list_changes',
  title: 'List Changes',
  description:
    'What changed, newest first: each call with its number (#), author and details. To catch up, and for the history of ' +
    'one entity.',
  input: z.object({
    entity: StorableText.optional().describe('Only about the entity of this exact name'),
    by: StorableText.optional().describe('Only by this agent, named as in answers'),
    since: limitedMoment.optional().describe('Only since this date or words ("yesterday")'),
    until: limitedMoment.optional().describe('Only up to this date'),
    before: z.number().int().min(1).optional().describe('Only before this number'),
    after: z.number().int().min(0).optional().describe('Only after this number, newest of an answer'),
    limit: z.number().int().min(1).max(100).default(20).describe('Maximum calls'),
  }),
  output: z.object({
    notice: z.string().optional().describe('How to continue if there is more'),
    newest: z.number().int().describe('The newest change there is, for after'),
    changes: z.array(
      z.object({
        number: z.number().int().describe('For undo_changes'),
        at: z.string().describe('UTC'),
        by: z.string(),
        what: z.string(),
        entities: z.array(z.string()),
        moreEntities: z.number().int().optional().describe('How many entities there are besides'),
        details: z.array(z.string()).optional().describe('Its newest changes: + is new, - is gone'),
      }),
    ),
  }),
  annotations: reads,
  meta: { 'anthropic/searchHint': 'recent activity, history, who remembered what' },
  right: 'memory:read',
  operation: 'query',
  namesIgnored: true,
  async run(ctx, actor, { since, until, ...query }) {
    const { notice, changes, newest } = await listNamedChanges(ctx, actor, {
      ...query,
      since: since === undefined ? undefined : readMoment(since, ctx.now()),
      until: until === undefined ? undefined : endOfMoment(until, ctx.now()),
    })
    return {
      structured: {
        newest,
        changes: changes.map(({ more, details, ...call }) => ({
          ...call,
          ...(more === 0 ? {} : { moreEntities: more }),
          ...(details.length === 0 ? {} : { details }),
        })),
      },
      notice,
      text:
        changes.length === 0
          ? 'No changes.'
          : `${changes.map(toText).join('\n')}\n#${newest} is the newest change.`,
    }
  },
})

function toText({ number, at, by, what, entities, more, details }: DescribedCall): string {
  const others = more === 0 ? '' : ` and ${more} more`
  return [
    `#${number} ${at} ${inLine(by)}: ${what}: ${entities.map(inLine).join(', ')}${others}`,
    ...details.map((detail) => `  ${detail}`),
  ].join('\n')
}
