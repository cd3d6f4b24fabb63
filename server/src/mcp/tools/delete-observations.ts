import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { deleteNamedObservations } from '../../features/memories/memories.service.ts'
import { defineTool, deletes } from '../tool.ts'
import { bounded, DoneOut, doneAnswer } from './shapes.ts'

const Deletion = z.object({
  entityName: StorableText.describe('The name of the entity containing the observations'),
  observations: bounded(StorableText).describe('An array of observations to delete'),
})

export const deleteObservations = defineTool({
  name: 'delete_observations',
  title: 'Delete Observations',
  description: 'Delete specific observations from entities in the knowledge graph',
  input: z.object({ deletions: bounded(Deletion) }),
  output: DoneOut,
  annotations: deletes,
  meta: { 'anthropic/searchHint': 'forget or correct a remembered fact' },
  operation: 'delete',
  resource: 'observation',
  async run(ctx, actor, { deletions }) {
    const { deleted, missingEntities } = await deleteNamedObservations(ctx, actor, deletions)
    const asked = deletions.reduce((sum, deletion) => sum + deletion.observations.length, 0)
    if (deleted === asked && missingEntities.length === 0)
      return doneAnswer('Observations deleted successfully')
    const missing = missingEntities.length === 0 ? '' : ` Entities not found: ${missingEntities.join(', ')}`
    return doneAnswer(`Deleted ${deleted} of ${asked} observations.${missing}`)
  },
})
