import { z } from 'zod'
import { Entity } from './entities.ts'
import { NextCursor, PageQuery } from './lists.ts'
import { Observation } from './observations.ts'
import { text } from './text.ts'

/** Why two entities may be the same; can be shown to a person. */
export const DuplicateReason = z.object({
  kind: z.enum(['name', 'alias', 'type', 'relation', 'neighbours', 'wording']),
  text: z.string(),
})
export type DuplicateReason = z.infer<typeof DuplicateReason>

/** An entity with its newest observations, oldest first. */
export const DuplicateEntity = Entity.required({ relationsCount: true }).extend({
  observations: z.array(Observation),
})
export type DuplicateEntity = z.infer<typeof DuplicateEntity>

/** Two entities that may be the same thing; keep the first. */
export const Duplicate = z.object({
  /** 0 to 1. */
  score: z.number(),
  reasons: z.array(DuplicateReason),
  entities: z.tuple([DuplicateEntity, DuplicateEntity]),
})
export type Duplicate = z.infer<typeof Duplicate>

export const ListDuplicatesQuery = PageQuery

/** Most likely first; `total` counts up to 500. */
export const DuplicatesResponse = z.object({
  duplicates: z.array(Duplicate),
  total: z.number().int(),
  nextCursor: NextCursor,
})
export type DuplicatesResponse = z.infer<typeof DuplicatesResponse>

const EntityId = text(1, 128, 'Entity id')

/** Two entities that are not the same thing and are no longer proposed. */
export const DuplicatePair = z.object({ ids: z.tuple([EntityId, EntityId]) })
export type DuplicatePair = z.infer<typeof DuplicatePair>
