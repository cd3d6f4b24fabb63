import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { listOf } from './checked-first.ts'
import { entityTypeMax, typeColourMax } from './entity-types.ts'
import { NextCursor, PageQuery, TypeCount } from './lists.ts'
import { Metadata } from './metadata.ts'
import { AsOf } from './moments.ts'
import { Observation, ObservationInputs, ObservationUpdates, Rivals, States } from './observations.ts'
import { CommaList, IsoDateTime, MomentBound, nameText, QueryText } from './text.ts'

export const entityNameMax = 512
export const entityAliasesMax = 10_000

export const EntityName = nameText(entityNameMax, 'Name')
export const EntityType = nameText(entityTypeMax, 'Type')

export const Entity = z.object({
  id: z.string(),
  /** Unique in its space; compared exactly. */
  name: z.string(),
  type: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  /** Names of entities that were merged into this one; they resolve to it. */
  aliases: z.array(z.string()).optional(),
  /** Oldest first. Omitted from lists unless requested. */
  observations: z.array(Observation).optional(),
  observationsCount: z.number().int(),
  /** In lists, only with `include=relations`. */
  relationsCount: z.number().int().optional(),
  createdAt: IsoDateTime,
  updatedAt: IsoDateTime,
  /** Who created it; only for a single entity, with `include=by`. */
  by: ChangeActor.optional(),
  /** In lists and searches: it waits for a review, and only its proposer is told of it. */
  proposed: z.literal(true).optional(),
})
export type Entity = z.infer<typeof Entity>

/** An entity with all its observations. */
export const EntityWithObservations = Entity.required({ observations: true })
export type EntityWithObservations = z.infer<typeof EntityWithObservations>

/** Body of `POST /api/entities`. */
export const CreateEntity = z.object({
  name: EntityName,
  type: EntityType,
  metadata: Metadata.optional(),
  observations: ObservationInputs.optional(),
})
export type CreateEntity = z.infer<typeof CreateEntity>

/**
 * Body of `PUT /api/entities/:id`. The observations sent replace the list: one with an existing id or
 * an unchanged text keeps its id and time, missing ones are deleted, others are added. The aliases sent
 * also replace the list; a new alias must be free, like a name. If `metadata`, `observations` or
 * `aliases` are omitted, they are unchanged. A new name keeps the old one as an alias.
 */
export const UpdateEntity = CreateEntity.extend({
  observations: ObservationUpdates.optional(),
  aliases: listOf(EntityName, entityAliasesMax).optional(),
})
export type UpdateEntity = z.infer<typeof UpdateEntity>

/** In order: newest, last changed, by name, most relations, most observations. */
export const EntitySort = z.enum(['newest', 'changed', 'name', 'connected', 'facts'])
export type EntitySort = z.infer<typeof EntitySort>

export const ListEntitiesQuery = PageQuery.extend({
  query: QueryText,
  types: CommaList.optional(),
  /**
   * `observations`: all of each entity; `latest`: the two newest; `by`: who wrote the entity and these;
   * `relations`: their number.
   */
  include: CommaList.optional(),
  /**
   * Default: newest first; for a search, best first. A sorted page of `types` can be short without
   * being the last.
   */
  sort: EntitySort.optional(),
  /** Default: names from A to Z, everything else descending. */
  order: z.enum(['asc', 'desc']).optional(),
  asOf: AsOf,
  /** The observations that are included: those in these states, true or stored in these times. */
  states: States,
  after: MomentBound.optional(),
  before: MomentBound.optional(),
  storedAfter: MomentBound.optional(),
  storedBefore: MomentBound.optional(),
})
/** `include=by` adds who wrote the entity and each observation. */
export const GetEntityQuery = z.object({ asOf: AsOf, include: CommaList.optional() })
export type GetEntityQuery = z.infer<typeof GetEntityQuery>
export type ListEntitiesQuery = z.infer<typeof ListEntitiesQuery>

export const EntitiesResponse = z.object({
  entities: z.array(Entity),
  total: z.number().int(),
  nextCursor: NextCursor,
})
export type EntitiesResponse = z.infer<typeof EntitiesResponse>
export const EntityResponse = z.object({ entity: EntityWithObservations })

/** Response of `PUT /api/entities/:id`. */
export const UpdateEntityResponse = EntityResponse.extend({ rivals: Rivals })

/** Response of `POST /api/entities`. */
export const CreateEntityResponse = EntityResponse.extend({
  rivals: Rivals,
  /** Entities that may be the same thing in another spelling: add to one of these instead. */
  similar: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
})
export type CreateEntityResponse = z.infer<typeof CreateEntityResponse>

/**
 * An entity type with its number of entities and its colour: an index into the palette, which repeats
 * after 32.
 */
export const EntityTypeCount = TypeCount.extend({ colour: z.number().int().min(1) })
export type EntityTypeCount = z.infer<typeof EntityTypeCount>
export const EntityTypesResponse = z.object({ types: z.array(EntityTypeCount) })

/** Body of `PATCH /api/entities/types/:type`: a new name, a new colour, or both. */
export const UpdateEntityType = z
  .object({ type: EntityType.optional(), colour: z.number().int().min(1).max(typeColourMax).optional() })
  .refine(({ type, colour }) => type !== undefined || colour !== undefined, {
    error: 'Must have type or colour',
  })
export type UpdateEntityType = z.infer<typeof UpdateEntityType>

/** `setIds` are the change sets of the renaming: several if there were other writes in between. */
export const EntityTypeResponse = z.object({
  type: EntityTypeCount,
  retyped: z.number().int(),
  setIds: z.array(z.string()),
})
export type EntityTypeResponse = z.infer<typeof EntityTypeResponse>
