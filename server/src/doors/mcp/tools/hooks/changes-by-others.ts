import { z } from 'zod'
import { listChangesByOthers } from '../../../../features/memories/changes-by-others.ts'
import { defineTool, reads } from '../../tool.ts'

/** What the hook of a session's start tells of others' work. */
export const changesByOthersTool = defineTool({
  name: 'changes_by_others',
  title: 'Changes by others',
  description: 'For hooks: what others changed since the caller was last here',
  input: z.object({
    after: z.number().int().min(0).optional().describe('Only after this number, newest of an answer'),
  }),
  output: z.object({
    newest: z.number().int().describe('The newest change there is, for after'),
    changes: z.array(
      z.object({ at: z.string().describe('UTC'), by: z.string(), entity: z.string(), what: z.string() }),
    ),
  }),
  annotations: reads,
  right: 'memory:read',
  operation: 'query',
  async run(ctx, actor, { after }) {
    return { structured: await listChangesByOthers(ctx, actor, after) }
  },
})
