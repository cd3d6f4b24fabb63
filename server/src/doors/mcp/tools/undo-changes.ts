import { z } from 'zod'
import { undoNamedChanges } from '../../../features/memories/correct-memories.ts'
import { toNumber } from '../../../ground/lib/ids.ts'
import { changes, defineTool } from '../tool.ts'
import { waitingNotice } from './shapes.ts'

export const undoChangesTool = defineTool({
  name: 'undo_changes',
  title: 'Undo Changes',
  description: 'Undo everything one call changed, unless it was changed since.',
  input: z.strictObject({ number: z.number().int().min(1).describe('From list_changes') }),
  output: z.object({
    ...waitingNotice,
    number: z.number().int().optional().describe('Of this undo, which can be undone too'),
    undone: z.number().int().describe('How many entities, observations and relations'),
  }),
  annotations: { ...changes, idempotentHint: false },
  meta: { 'anthropic/searchHint': 'revert a mistaken write or delete' },
  right: 'memory:write',
  operation: 'update',
  async run(ctx, actor, { number }) {
    const { setId, undone } = await undoNamedChanges(ctx, actor, number)
    // An undo that is only proposed is no change yet.
    const own = toNumber('set', setId)
    return { structured: { ...(own && { number: own }), undone } }
  },
})
