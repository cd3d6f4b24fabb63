import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { deleteNamedEntities } from '../../../features/memories/delete-memories.ts'
import { describeMissedEntities } from '../../../features/memories/describe-missed.ts'
import { listNames } from '../../../features/memories/not-found.ts'
import { defineTool, deletes } from '../tool.ts'
import { bounded, DoneOut, doneAnswer } from './shapes.ts'

export const deleteEntitiesTool = defineTool({
  name: 'delete_entities',
  title: 'Delete Entities',
  description:
    'Delete multiple entities and their associated relations from the knowledge graph. undo_changes brings them back; ' +
    'only the owner can erase for good (`loci erase NAME`).',
  input: z.object({ entityNames: bounded(StorableText).describe('An array of entity names to delete') }),
  output: DoneOut,
  annotations: deletes,
  meta: { 'anthropic/searchHint': 'forget a person, project or thing' },
  right: 'memory:write',
  operation: 'delete',
  resource: 'entity',
  async run(ctx, actor, { entityNames }) {
    const { missing } = await deleteNamedEntities(ctx, actor, entityNames)
    if (missing.length === 0) return doneAnswer('Entities deleted successfully')
    const deleted = entityNames.length - missing.length
    const near = await describeMissedEntities(ctx, actor, missing)
    const message = `Deleted ${deleted} of ${entityNames.length} entities. Not found: ${listNames(missing)}`
    return doneAnswer(near === '' ? message : `${message}.${near}`, deleted > 0)
  },
})
