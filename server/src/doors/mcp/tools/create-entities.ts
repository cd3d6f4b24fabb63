import { z } from 'zod'
import type { NewNamedEntity } from '../../../features/memories/graph-part.ts'
import { createNamedEntities, type SimilarNames } from '../../../features/memories/memories.service.ts'
import { listNames, quote } from '../../../features/memories/not-found.ts'
import { counted } from '../../../ground/lib/counted.ts'
import { inLine } from '../../../ground/lib/for-models.ts'
import { adds, defineTool } from '../tool.ts'
import { bounded, EntityIn, EntityOut, joinSentences, noteOfRivals, RivalsOut } from './shapes.ts'
import { isLarge, takeShort } from './short-answers.ts'

export const createEntitiesTool = defineTool({
  name: 'create_entities',
  title: 'Create Entities',
  description:
    'Save to memory, remember for later: store what you know about a new person, project, preference or decision of the ' +
    'user as an entity with facts. Recall first: an entity whose exact name exists is skipped (add to it with ' +
    'add_observations). Name entities as people look for them ("Ada Lovelace", "checkout-service"); one short, ' +
    'self-contained fact in each observation, a text or the object of add_observations.',
  input: z.object({ entities: bounded(EntityIn) }),
  output: z.object({
    notice: z.string().optional().describe('What was unusual, and what to do about it'),
    entities: z.array(EntityOut),
    skipped: z.array(z.string()).optional().describe('Names that already existed and were skipped'),
    similar: z
      .array(
        z.object({
          name: z.string(),
          existing: z.array(z.object({ name: z.string(), entityType: z.string() })),
        }),
      )
      .optional()
      .describe('New entities that may be the same as existing ones under another spelling'),
    rivals: RivalsOut,
  }),
  annotations: adds,
  meta: { 'anthropic/alwaysLoad': true },
  right: 'memory:write',
  operation: 'create',
  resource: 'entity',
  async run(ctx, actor, { entities }) {
    const { created, skipped, similar, rivals, ids } = await createNamedEntities(ctx, actor, entities)
    const shown = isLarge(created)
      ? takeShort(created.map((entity) => ({ ...entity, observations: [] })))
      : created
    return {
      structured: {
        entities: shown,
        ...(skipped.length === 0 ? {} : { skipped: takeShort(skipped) }),
        ...(similar.length === 0 ? {} : { similar: takeShort(similar) }),
        ...(rivals.length === 0 ? {} : { rivals }),
      },
      json: shown,
      notice: joinSentences([
        isLarge(created) ? noteOfCreated(created, shown.length) : undefined,
        skipped.length === 0 ? undefined : noteOfSkipped(skipped),
        similar.length === 0 ? undefined : noteOfSimilar(similar),
        noteOfRivals(rivals, ids),
      ]),
    }
  },
})

function noteOfCreated(created: readonly NewNamedEntity[], shown: number): string {
  const observations = created.reduce((sum, entity) => sum + entity.observations.length, 0)
  const others = shown === created.length ? '' : ` and ${created.length - shown} of the entities`
  return (
    `Created ${counted(created.length, 'entity', 'entities')} with ${counted(observations, 'observation')}. ` +
    `This answer leaves out the observations${others}.`
  )
}

function noteOfSkipped(names: string[]): string {
  const [entities, their] =
    names.length === 1
      ? ['1 entity that already exists', 'Its']
      : [`${names.length} entities that already exist`, 'Their']
  return `Skipped ${entities}: ${listNames(names)}. ${their} observations were not added; use add_observations for existing entities.`
}

const similarTold = 5

function noteOfSimilar(similar: readonly SimilarNames[]): string {
  const pairs = similar
    .slice(0, similarTold)
    .map(
      ({ name, existing }) =>
        `${quote(name)} may be ${existing.map((entity) => `${quote(entity.name)} (${inLine(entity.entityType)})`).join(' or ')}`,
    )
  const others = similar.length > similarTold ? `; and ${similar.length - similarTold} more` : ''
  return (
    `Created, but similar to what exists: ${pairs.join('; ')}${others}. ` +
    'If it is the same, merge the new one into the existing one with merge_entities.'
  )
}
