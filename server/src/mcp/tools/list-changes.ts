import { z } from 'zod'
import { listNamedChanges } from '../../features/memories/list-changes.ts'
import { fromIso } from '../../lib/time.ts'
import { defineTool, reads } from '../tool.ts'
import { limitedMoment } from './shapes.ts'

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List Changes',
  description:
    'What changed in the memory since a time, oldest first, and who changed it. Good for catching up at the start of a ' +
    'session. When there is more, go on with the number of the last change.',
  input: z.object({
    since: limitedMoment
      .optional()
      .describe(
        'ISO-8601 date or date-time, for example 2026-11-20 or 2026-11-20T09:00:00Z; everything when left out',
      ),
    after: z.number().int().min(0).optional().describe('Go on after the change of this number'),
    limit: z.number().int().min(1).max(200).default(50).describe('Most changes to answer'),
  }),
  output: z.object({
    changes: z.array(
      z.object({
        number: z.number().int(),
        at: z.string(),
        operation: z.string(),
        subject: z.string(),
        by: z.string(),
      }),
    ),
    more: z.boolean().describe('True when there are more: ask again after the number of the last one'),
  }),
  annotations: reads,
  meta: { 'anthropic/searchHint': 'recent activity, history, who remembered what' },
  operation: 'query',
  async run(ctx, actor, { since, after, limit }) {
    const from = { since: since === undefined ? 0 : fromIso(since), after: after ?? 0 }
    const answer = await listNamedChanges(ctx, actor, from, limit)
    return { structured: answer, text: toText(answer) }
  },
})

function toText({ changes, more }: Awaited<ReturnType<typeof listNamedChanges>>): string {
  if (changes.length === 0) return 'Nothing changed.'
  const lines = changes.map(
    ({ number, at, operation, subject, by }) =>
      `${number}. ${at} ${operation.replaceAll('_', ' ')}: ${subject} (by ${by})`,
  )
  if (more) lines.push(`(more: go on with list_changes {"after": ${changes.at(-1)?.number}})`)
  return lines.join('\n')
}
