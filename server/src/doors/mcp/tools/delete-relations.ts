import { z } from 'zod'
import { deleteNamedRelations } from '../../../features/memories/delete-memories.ts'
import { describeMissedRelations } from '../../../features/memories/describe-missed.ts'
import { defineTool, deletes } from '../tool.ts'
import { bounded, DoneOut, doneAnswer, RelationKey } from './shapes.ts'

export const deleteRelationsTool = defineTool({
  name: 'delete_relations',
  title: 'Delete Relations',
  description: 'Delete multiple relations from the knowledge graph',
  input: z.object({ relations: bounded(RelationKey).describe('An array of relations to delete') }),
  output: DoneOut,
  annotations: deletes,
  meta: { 'anthropic/searchHint': 'remove a remembered connection' },
  right: 'memory:write',
  operation: 'delete',
  resource: 'relation',
  async run(ctx, actor, { relations }) {
    const { missed } = await deleteNamedRelations(ctx, actor, relations)
    if (missed.length === 0) return doneAnswer('Relations deleted successfully')
    const deleted = relations.length - missed.length
    const which = await describeMissedRelations(ctx, actor, missed)
    return doneAnswer(
      `Deleted ${deleted} of ${relations.length} relations. The rest matched nothing. ${which}`,
      deleted > 0,
    )
  },
})
