import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { exploreEntity as explore } from '../../features/memories/explore-memories.ts'
import { defineTool, reads } from '../tool.ts'
import { RelationOut } from './shapes.ts'

const NodeOut = z.object({ name: z.string(), entityType: z.string(), observationsCount: z.number().int() })

export const exploreEntity = defineTool({
  name: 'explore_entity',
  title: 'Explore Entity',
  description:
    'One entity with its metadata, dates and newest observations, and the entities and relations around it to a depth. ' +
    'Use it to understand how something hangs together once you know its exact name.',
  input: z.object({
    name: StorableText.describe('The exact name of the entity'),
    depth: z.number().int().min(1).max(5).default(1).describe('How many relations away to look'),
    limit: z.number().int().min(1).max(200).default(50).describe('Most entities to answer, nearest first'),
  }),
  output: z.object({
    entity: z.object({
      name: z.string(),
      entityType: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      createdAt: z.string(),
      updatedAt: z.string(),
      observationsCount: z.number().int(),
      observations: z
        .array(z.object({ content: z.string(), createdAt: z.string() }))
        .describe('The newest, oldest first'),
    }),
    entities: z.array(NodeOut).describe('What is around it, nearest first'),
    relations: z.array(RelationOut),
    truncated: z.boolean().describe('True when there is more around it than the limit let through'),
  }),
  annotations: reads,
  meta: { 'anthropic/searchHint': 'what surrounds a remembered entity, with ids and dates' },
  operation: 'query',
  run: async (ctx, actor, { name, depth, limit }) => ({
    structured: await explore(ctx, actor, name, depth, limit),
  }),
})
