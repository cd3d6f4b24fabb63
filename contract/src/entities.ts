import { z } from 'zod'
import { ChangeActor } from './change-actor.ts'
import { entityTypeMax, typeColourMax } from './entity-types.ts'
import { NextCursor, PageQuery, TypeCount } from './lists.ts'
import { Metadata } from './metadata.ts'
import { AsOf } from './moments.ts'
import { Observation, ObservationInputs, ObservationUpdates } from './observations.ts'
import { CommaList, IsoDateTime, nonBlankText, QueryText } from './text.ts'

export const entityNameMax = 512
export const entityAliasesMax = 10_000

export const EntityName = nonBlankText(entityNameMax, 'Name')
export const EntityType = nonBlankText(entityTypeMax, 'Type')

export const Entity = z.object({
  id: z.string(),
  /** Unique in its space, exact match. */
  name: z.string(),
  type: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  /** Names of entities that were merged into it, which lead to it too. */
  aliases: z.array(z.string()).optional(),
  /** Oldest first. Left out of lists unless asked for. */
  observations: z.array(Observation).optional(),
  observationsCount: z.number().int(),
  /** In lists, with `include=relations`. */
  relationsCount: z.number().int().optional(),
  createdAt: IsoDateTime,
  updatedAt: IsoDateTime,
  /** Who created it; only of one entity, with `include=by`. */
  by: ChangeActor.optional(),
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
 * Body of `PUT /api/entities/:id`. The observations sent become the list: one that is sent with its id, or with an
 * unchanged text, keeps its id and time, a missing one is deleted, a new one is added. The aliases sent become the
 * list, too; a new one must be free, as a name must. `metadata`, `observations` or `aliases` left out stay as they are.
 */
export const UpdateEntity = CreateEntity.extend({
  observations: ObservationUpdates.optional(),
  aliases: z.array(EntityName).max(entityAliasesMax).optional(),
})
export type UpdateEntity = z.infer<typeof UpdateEntity>

/** Newest first, last changed first, by name, most connected first, most observations first. */
export const EntitySort = z.enum(['newest', 'changed', 'name', 'connected', 'facts'])
export type EntitySort = z.infer<typeof EntitySort>

export const ListEntitiesQuery = PageQuery.extend({
  query: QueryText,
  types: CommaList.optional(),
  /**
   * `observations` all of each entity, `latest` the two newest, `by` who wrote it and them, `relations` how many there
   * are.
   */
  include: CommaList.optional(),
  /** Left out: newest first; of a search, best first. Sorted pages of `types` may be short, and yet not the last. */
  sort: EntitySort.optional(),
  /** Left out: names from A to Z, everything else from the highest down. */
  order: z.enum(['asc', 'desc']).optional(),
  asOf: AsOf,
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

/** Answer of `POST /api/entities`. */
export const CreateEntityResponse = EntityResponse.extend({
  /** Entities that may be the same thing under another spelling: add to one of these instead. */
  similar: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
})
export type CreateEntityResponse = z.infer<typeof CreateEntityResponse>

/** An entity type with the number of its entities and its colour: a place in the palette, which repeats after 32. */
export const EntityTypeCount = TypeCount.extend({ colour: z.number().int().min(1) })
export type EntityTypeCount = z.infer<typeof EntityTypeCount>
export const EntityTypesResponse = z.object({ types: z.array(EntityTypeCount) })

/** Body of `PATCH /api/entities/types/:type`: another name, another colour, or both. */
export const UpdateEntityType = z
  .object({ type: EntityType.optional(), colour: z.number().int().min(1).max(typeColourMax).optional() })
  .refine(({ type, colour }) => type !== undefined || colour !== undefined, {
    error: 'Must have type or colour',
  })
export type UpdateEntityType = z.infer<typeof UpdateEntityType>

/** `setIds` are the sets of changes that renamed it: one, or several where others wrote in between. */
export const EntityTypeResponse = z.object({
  type: EntityTypeCount,
  retyped: z.number().int(),
  setIds: z.array(z.string()),
})
export type EntityTypeResponse = z.infer<typeof EntityTypeResponse>
