import { z } from 'zod'
import { listOf } from './checked-first.ts'
import { Entity, EntityName, EntityType } from './entities.ts'
import { Metadata } from './metadata.ts'
import { AsOf } from './moments.ts'
import { ObservationInputs, observationsPerCallMax } from './observations.ts'
import { Relation, RelationType, requireType } from './relations.ts'
import { CommaList, IsoDateTime, queryInteger, text } from './text.ts'

export const graphDepthDefault = 2
export const graphDepthMax = 5
export const graphLimitDefault = 250
export const graphLimitMax = 5_000
export const graphStreamLimitDefault = 10_000
export const graphStreamLimitMax = 100_000

export const GraphEntity = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  observationsCount: z.number().int(),
  createdAt: IsoDateTime,
  /** When it or its observations changed last. */
  updatedAt: IsoDateTime,
})
export type GraphEntity = z.infer<typeof GraphEntity>

export const GraphRelation = z.object({
  id: z.string(),
  fromEntityId: z.string(),
  toEntityId: z.string(),
  relationType: z.string(),
  createdAt: IsoDateTime,
})
export type GraphRelation = z.infer<typeof GraphRelation>

/** Part of the graph: only relations with both ends in `entities`. */
export const GraphData = z.object({
  entities: z.array(GraphEntity),
  relations: z.array(GraphRelation),
  /** True if the limit cut something off. */
  truncated: z.boolean(),
})
export type GraphData = z.infer<typeof GraphData>

const Depth = z.object({ depth: queryInteger(1, graphDepthMax, graphDepthDefault) })

export const NeighbourhoodQuery = Depth.extend({ asOf: AsOf })

export const GraphDataQuery = NeighbourhoodQuery.extend({
  limit: queryInteger(1, graphLimitMax, graphLimitDefault),
  rootEntityId: z.string().max(128).optional(),
})
export type GraphDataQuery = z.infer<typeof GraphDataQuery>

export const GraphStreamQuery = Depth.extend({
  limit: queryInteger(1, graphStreamLimitMax, graphStreamLimitDefault),
  /** `columns`: each line as `GraphColumns`, a fifth of the size. */
  form: z.enum(['rows', 'columns']).default('rows'),
})
export type GraphStreamQuery = z.infer<typeof GraphStreamQuery>

/**
 * A line of a streamed graph. Entities come first, then the relations between them; only the last line
 * has `truncated`. Without it, the response is incomplete.
 */
export const GraphPart = GraphData.partial()
export type GraphPart = z.infer<typeof GraphPart>

/** Most entities per request for newest observations. */
export const graphNotesMax = 100

export const GraphNotesQuery = z.object({
  ids: CommaList.pipe(z.array(z.string()).min(1).max(graphNotesMax)),
})

/** The newest current observation of each entity that has one, cut to 280 characters, keyed by entity id. */
export const GraphNotes = z.object({ notes: z.record(z.string(), z.string()) })

export const ShortestPathQuery = z.object({ from: z.string().max(128), to: z.string().max(128) })

/** Most entities in a batch, and most relations. */
export const batchItemsMax = 1_000

const BatchEntity = z.object({
  name: EntityName,
  type: EntityType,
  metadata: Metadata.optional(),
  observations: ObservationInputs.optional(),
})

/** A relation in a batch; each end is an entity's id or name (also of an entity in the same batch). */
const BatchRelation = z
  .object({
    from: text(1, 512, 'Source entity').optional(),
    to: text(1, 512, 'Target entity').optional(),
    fromEntityId: text(1, 512, 'Source entity').optional(),
    toEntityId: text(1, 512, 'Target entity').optional(),
    type: RelationType.optional(),
    relationType: RelationType.optional(),
  })
  .transform((relation, issues) => {
    const from = relation.fromEntityId ?? relation.from
    const to = relation.toEntityId ?? relation.to
    if (from === undefined)
      issues.addIssue({ code: 'custom', path: ['from'], message: 'Source entity is required' })
    if (to === undefined)
      issues.addIssue({ code: 'custom', path: ['to'], message: 'Target entity is required' })
    return { from: from ?? '', to: to ?? '', type: requireType(relation, issues).type }
  })

/** Body of `POST /api/entities/batch`. */
export const CreateBatch = z
  .object({
    entities: listOf(BatchEntity, batchItemsMax).default([]),
    relations: listOf(BatchRelation, batchItemsMax).default([]),
  })
  .refine(
    (batch) =>
      batch.entities.reduce((sum, entity) => sum + (entity.observations?.length ?? 0), 0) <=
      observationsPerCallMax,
    { path: ['entities'], error: `At most ${observationsPerCallMax} observations in one call` },
  )
export type CreateBatch = z.infer<typeof CreateBatch>

/** `existing` counts entries that already existed and were left unchanged. */
export const BatchResponse = z.object({
  entities: z.object({ created: z.array(Entity), existing: z.array(Entity) }),
  relations: z.object({ created: z.array(Relation), existing: z.array(Relation) }),
})
export type BatchResponse = z.infer<typeof BatchResponse>
