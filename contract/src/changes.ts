import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { Entity } from './entities.ts'
import { NextCursor, PageQuery } from './lists.ts'
import { MomentOrSeq } from './moments.ts'
import { Observation, ObservationContent, observationFields } from './observations.ts'
import { filterList, IsoDateTime, text } from './text.ts'

/** What can happen to a graph. `entity_merged` ends the entity that was merged into another. */
export const changeOperations = [
  'entity_created',
  'entity_updated',
  'entity_deleted',
  'entity_merged',
  'entity_erased',
  'relation_created',
  'relation_updated',
  'relation_deleted',
  'observation_added',
  'observation_updated',
  'observation_deleted',
  'observation_erased',
] as const

export const ChangeOperation = z.enum(changeOperations)
export type ChangeOperation = z.infer<typeof ChangeOperation>

/**
 * Response header of a call that changed the graph: the set of its changes, which can be undone by this
 * id.
 */
export const changeSetHeader = 'loci-change-set'

export const ChangeSubject = z.object({
  kind: z.enum(['entity', 'observation', 'relation']),
  id: z.string(),
  /** The entity's name after the change; if the change ended it, the name before. */
  name: z.string().optional(),
  /** The entity that the observation belongs to. */
  entityId: z.string().optional(),
  /** Name and type of this entity at the time. */
  entityName: z.string().optional(),
  entityType: z.string().optional(),
})
export type ChangeSubject = z.infer<typeof ChangeSubject>

/** One row of the change log. */
export const Change = z.object({
  /** Gapless within the space, from 1. */
  seq: z.number().int(),
  /** All changes of one call form a set. */
  setId: z.string(),
  at: IsoDateTime,
  actor: ChangeActor,
  /** Who had proposed the change that `actor` accepted. */
  onBehalfOf: ChangeActor.optional(),
  /** The MCP tool that was called; absent for other calls, and for changes from before the server kept it. */
  tool: z.string().optional(),
  operation: ChangeOperation,
  subject: ChangeSubject,
  /**
   * The subject as a read would have returned it before and after, an entity without its observations;
   * null if it did not exist.
   */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /**
   * Id of the space whose log this change is from; only if the entity has since moved here from another
   * space.
   */
  space: z.string().optional(),
  /** True if a state is missing because it was erased or is older than the history the server keeps. */
  erased: z.literal(true).optional(),
})
export type Change = z.infer<typeof Change>

const Reference = z.string().max(128).optional()

const Filters = z.object({
  /** Both exclusive. */
  after: MomentOrSeq.optional(),
  before: MomentOrSeq.optional(),
  /** The entity itself, its observations and its relations. */
  entityId: Reference,
  /** A person's id without `client` excludes the agents that used the person's key. */
  actorId: Reference,
  client: text(0, 512, 'Client').optional(),
  /** The MCP tool that was called. */
  tool: text(1, 128, 'Tool').optional(),
  operation: filterList(ChangeOperation),
  setId: Reference,
})
export type ChangeFilters = z.infer<typeof Filters>

export const ListChangesQuery = PageQuery.extend({
  ...Filters.shape,
  order: z.enum(['desc', 'asc']).default('desc'),
})
export type ListChangesQuery = z.infer<typeof ListChangesQuery>

/**
 * A page can have fewer changes than `limit`, or none, and still a `nextCursor`: the number of rows
 * scanned per page is bounded.
 */
export const ChangesResponse = z.object({ changes: z.array(Change), nextCursor: NextCursor })
export type ChangesResponse = z.infer<typeof ChangesResponse>

/** Both exclusive. */
export const CountChangesQuery = ListChangesQuery.pick({ after: true, before: true })
export type CountChangesQuery = z.infer<typeof CountChangesQuery>

export const ChangeCountsResponse = z.object({
  counts: z.array(z.object({ actor: ChangeActor, operation: ChangeOperation, count: z.number().int() })),
  /** False if there are more changes than one call counts: these are the newest. */
  isComplete: z.boolean(),
})
export type ChangeCountsResponse = z.infer<typeof ChangeCountsResponse>

/** `setId` is the new set; `undone` is the number of things it changed. */
export const UndoResponse = z.object({ setId: z.string(), undone: z.number().int() })
export type UndoResponse = z.infer<typeof UndoResponse>

const removable = {
  at: observationFields.at.nullable(),
  until: observationFields.until.nullable(),
  expiresAt: observationFields.expiresAt.nullable(),
  source: observationFields.source.nullable(),
}

/**
 * Body of `PUT /api/entities/:id/observations/:observationId`; omitted fields are unchanged. Null and empty lists
 * remove a field.
 */
export const UpdateObservation = z
  .object({ content: ObservationContent.optional(), ...observationFields, ...removable })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: `Must have ${['content', ...Object.keys(observationFields)].join(' or ')}`,
  })
export type UpdateObservation = z.infer<typeof UpdateObservation>
export const ObservationResponse = z.object({ observation: Observation })

/** Body of `POST /api/entities/:id/merge`: the entity that absorbs the other. */
export const MergeEntity = z.object({ into: text(1, 128, 'Target entity') })
export const MergeResponse = z.object({ entity: Entity.required({ observations: true }), setId: z.string() })
export type MergeResponse = z.infer<typeof MergeResponse>
