import { MomentInput } from '@loci/contract/text'
import { z } from 'zod'
import { listNamedChanges } from '../../features/memories/list-changes.ts'
import { fromIso } from '../../lib/time.ts'
import { defineTool, reads } from '../tool.ts'

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List Changes',
  description:
    'What changed in the memory since a time, oldest first, and who changed it. Good for catching up at the start of a session.',
  input: z.object({
    since: MomentInput.describe('ISO-8601 date or date-time, for example 2026-11-20 or 2026-11-20T09:00:00Z'),
    limit: z.number().int().min(1).max(200).default(50),
  }),
  output: z.object({
    changes: z.array(
      z.object({ at: z.string(), operation: z.string(), subject: z.string(), by: z.string() }),
    ),
    more: z.boolean().describe('True when there are more: ask again since the last one'),
  }),
  annotations: reads,
  operation: 'query',
  async run(ctx, actor, { since, limit }) {
    const answer = await listNamedChanges(ctx, actor, fromIso(since), limit)
    return { structured: answer, text: toText(answer) }
  },
})

function toText({
  changes,
  more,
}: {
  changes: { at: string; operation: string; subject: string; by: string }[]
  more: boolean
}): string {
  if (changes.length === 0) return 'Nothing changed.'
  const lines = changes.map(
    ({ at, operation, subject, by }) => `${at} ${operation.replaceAll('_', ' ')}: ${subject} (by ${by})`,
  )
  return more ? `${lines.join('\n')}\n(more: ask again since ${changes.at(-1)?.at})` : lines.join('\n')
}
