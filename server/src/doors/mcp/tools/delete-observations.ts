import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { deleteNamedObservations } from '../../../features/memories/delete-memories.ts'
import {
  describeMissedEntities,
  describeMissedObservations,
} from '../../../features/memories/describe-missed.ts'
import { listNames } from '../../../features/memories/not-found.ts'
import { defineTool, deletes } from '../tool.ts'
import { bounded, DoneOut, doneAnswer } from './shapes.ts'

const Deletion = z.object({
  entityName: StorableText.describe('The name of the entity containing the observations'),
  observations: bounded(StorableText).describe('An array of observations to delete: exact texts or ids'),
})

export const deleteObservationsTool = defineTool({
  name: 'delete_observations',
  title: 'Delete Observations',
  description:
    'Delete specific observations from entities in the knowledge graph, by exact text or id (obs_...).',
  input: z.object({ deletions: bounded(Deletion) }),
  output: DoneOut,
  annotations: deletes,
  meta: { 'anthropic/searchHint': 'forget or correct a remembered fact' },
  right: 'memory:write',
  operation: 'delete',
  resource: 'observation',
  async run(ctx, actor, { deletions }) {
    const outcome = await deleteNamedObservations(ctx, actor, deletions)
    const { asked, deleted, missingEntities, missed } = outcome
    if (missed.length === 0 && missingEntities.length === 0)
      return doneAnswer('Observations deleted successfully')
    const sentences = [`Deleted ${deleted} of ${asked} observations.`]
    if (missingEntities.length > 0) {
      const near = await describeMissedEntities(ctx, actor, missingEntities)
      const end = near === '' && missed.length === 0 ? '' : '.'
      sentences.push(`Entities not found: ${listNames(missingEntities)}${end}${near}`)
    }
    if (missed.length > 0) sentences.push(await describeMissedObservations(ctx, actor, missed))
    return doneAnswer(sentences.join(' '), deleted > 0)
  },
})
