import { StorableText } from '@loci/contract/text'
import { z } from 'zod'
import { exploreEntity, exploreEntityAsOf } from '../../../features/memories/explore-memories.ts'
import { toPast } from '../../../features/memories/past-graph.ts'
import { defineTool, reads } from '../tool.ts'
import { factTimes, PastMoment, RelationFound, toPastMoment, WithParts } from './shapes.ts'

const NodeOut = z.object({ name: z.string(), entityType: z.string(), observationsCount: z.number().int() })

export const exploreEntityTool = defineTool({
  name: 'explore_entity',
  title: 'Explore Entity',
  description:
    'One entity with its metadata, dates and newest observations (with ids), and the entities and relations ' +
    'around it to a depth.',
  input: z.object({
    name: StorableText.describe('Its exact name'),
    depth: z.number().int().min(1).max(5).default(1).describe('How many relations away'),
    limit: z.number().int().min(1).max(200).default(50).describe('Maximum entities, nearest first'),
    before: StorableText.optional().describe('Only observations before this id'),
    asOf: PastMoment,
    with: WithParts,
  }),
  output: z.object({
    notice: z.string().optional().describe('What was left out, and how to continue'),
    entity: z.object({
      name: z.string(),
      entityType: z.string(),
      aliases: z.array(z.string()).optional().describe('Other names that lead to it'),
      createdAt: z.string(),
      updatedAt: z.string(),
      observationsCount: z.number().int(),
      metadata: z.record(z.string(), z.unknown()).optional(),
      observations: z
        .array(
          z.object({
            id: z.string(),
            content: z.string(),
            createdAt: z.string(),
            ...factTimes,
            by: z.string().optional(),
            source: z.string().optional(),
          }),
        )
        .optional()
        .describe('The newest, oldest first'),
    }),
    entities: z.array(NodeOut).optional().describe('What is around it, nearest first'),
    relations: z.array(RelationFound).optional(),
  }),
  annotations: reads,
  meta: { 'anthropic/searchHint': 'what surrounds a remembered entity, with ids and dates' },
  hasView: true,
  right: 'memory:read',
  operation: 'query',
  namesIgnored: true,
  async run(ctx, actor, { asOf, ...args }) {
    const moment = toPastMoment(asOf, ctx.now())
    const { notice, ...structured } =
      moment === undefined
        ? await exploreEntity(ctx, actor, args)
        : await exploreEntityAsOf(ctx, actor, { ...args, past: await toPast(ctx, actor, moment) })
    return { structured, notice }
  },
})
