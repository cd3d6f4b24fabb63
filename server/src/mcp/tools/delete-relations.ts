import { z } from 'zod'
import { deleteNamedRelations } from '../../features/memories/memories.service.ts'
import { defineTool, deletes } from '../tool.ts'
import { bounded, DoneOut, doneAnswer, RelationKey } from './shapes.ts'

export const deleteRelations = defineTool({
  name: 'delete_relations',
  title: 'Delete Relations',
  description: 'Delete multiple relations from the knowledge graph',
  input: z.object({ relations: bounded(RelationKey).describe('An array of relations to delete') }),
  output: DoneOut,
  annotations: deletes,
  meta: { 'anthropic/searchHint': 'remove a remembered connection' },
  operation: 'delete',
  resource: 'relation',
  async run(ctx, actor, { relations }) {
    const { deleted } = await deleteNamedRelations(ctx, actor, relations)
    if (deleted === relations.length) return doneAnswer('Relations deleted successfully')
    return doneAnswer(`Deleted ${deleted} of ${relations.length} relations. The rest matched nothing.`)
  },
})
