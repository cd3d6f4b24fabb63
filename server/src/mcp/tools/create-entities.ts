import { z } from 'zod'
import { createNamedEntities, type SimilarNames } from '../../features/memories/memories.service.ts'
import { adds, defineTool } from '../tool.ts'
import { bounded, EntityIn, EntityOut, joinSentences } from './shapes.ts'

export const createEntities = defineTool({
  name: 'create_entities',
  title: 'Create Entities',
  description:
    'Create multiple new entities in the knowledge graph. Search before you create: an entity whose exact name exists ' +
    'is skipped and left as it is (add to it with add_observations). Name entities as people would look for them ' +
    '("Ada Lovelace", "checkout-service"); put one short, self-contained fact in each observation.',
  input: z.object({ entities: bounded(EntityIn) }),
  output: z.object({
    notice: z.string().optional().describe('What was unusual, and what to do about it'),
    entities: z.array(EntityOut),
    skipped: z.array(z.string()).optional().describe('Names that existed already and were left as they were'),
    similar: z
      .array(
        z.object({
          name: z.string(),
          existing: z.array(z.object({ name: z.string(), entityType: z.string() })),
        }),
      )
      .optional()
      .describe('New entities that may be the same as existing ones under another spelling'),
  }),
  annotations: adds,
  meta: { 'anthropic/alwaysLoad': true },
  operation: 'create',
  resource: 'entity',
  async run(ctx, actor, { entities }) {
    const { created, skipped, similar } = await createNamedEntities(ctx, actor, entities)
    return {
      structured: {
        entities: created,
        ...(skipped.length === 0 ? {} : { skipped }),
        ...(similar.length === 0 ? {} : { similar }),
      },
      json: created,
      notice: joinSentences([
        skipped.length === 0 ? undefined : noteOfSkipped(skipped),
        similar.length === 0 ? undefined : noteOfSimilar(similar),
      ]),
    }
  },
})

function noteOfSkipped(names: string[]): string {
  const [entities, their] =
    names.length === 1
      ? ['1 entity that already exists', 'Its']
      : [`${names.length} entities that already exist`, 'Their']
  return `Skipped ${entities}: ${names.join(', ')}. ${their} observations were not added; use add_observations for existing entities.`
}

function noteOfSimilar(similar: readonly SimilarNames[]): string {
  const pairs = similar.map(
    ({ name, existing }) =>
      `${JSON.stringify(name)} may be ${existing.map((entity) => `${JSON.stringify(entity.name)} (${entity.entityType})`).join(' or ')}`,
  )
  return (
    `Created, but similar to what exists: ${pairs.join('; ')}. ` +
    'If it is the same, add the observations to the existing entity with add_observations and delete the new one with delete_entities.'
  )
}
