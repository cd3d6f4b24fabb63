import { z } from 'zod'
import { addNamedObservations } from '../../features/memories/memories.service.ts'
import { adds, defineTool } from '../tool.ts'
import { AdditionIn, bounded } from './shapes.ts'

export const addObservations = defineTool({
  name: 'add_observations',
  title: 'Add Observations',
  description:
    'Add new observations to existing entities in the knowledge graph. One short fact each, understandable on its own ' +
    '(write names and dates, not "he" and "yesterday"). Texts that the entity has already are not added again.',
  input: z.object({ observations: bounded(AdditionIn) }),
  output: z.object({
    results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
  }),
  annotations: adds,
  meta: { 'anthropic/alwaysLoad': true },
  operation: 'create',
  resource: 'observation',
  async run(ctx, actor, { observations }) {
    const results = await addNamedObservations(ctx, actor, observations)
    return { structured: { results }, json: results }
  },
})
