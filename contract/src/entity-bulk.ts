import { z } from 'zod'
import { Entity, EntityType } from './entities.ts'
import { bulkEntitiesMax } from './entity-types.ts'
import { text } from './text.ts'

const Ids = z
  .array(text(1, 128, 'Entity id'))
  .min(1)
  .max(bulkEntitiesMax)

/** Body of `POST /api/entities/delete`. Ids of which there is no entity are left out of the count. */
export const DeleteEntities = z.object({ ids: Ids })
/** Body of `POST /api/entities/retype`. */
export const RetypeEntities = z.object({ ids: Ids, type: EntityType })
/** Body of `POST /api/entities/merge`: `ids` become part of `into`. */
export const MergeEntities = z.object({ ids: Ids, into: text(1, 128, 'Target entity') })

/** Body of `POST /api/entities/move`: `space` is the id or name of another space. */
export const MoveEntities = z.object({ ids: Ids, space: text(1, 128, 'Space') })
export type MoveEntities = z.infer<typeof MoveEntities>

/**
 * What was moved, as a set of changes in each of the two spaces. Relations to entities that stayed cannot go along:
 * `relationsDeleted` says how many there were.
 */
export const MovedResponse = z.object({
  entities: z.number().int(),
  observations: z.number().int(),
  relations: z.number().int(),
  relationsDeleted: z.number().int(),
  setId: z.string(),
  space: z.object({ id: z.string(), setId: z.string() }),
})
export type MovedResponse = z.infer<typeof MovedResponse>

/** How many entities a call changed, and the set of all its changes; null where it changed nothing. */
export const BulkResponse = z.object({ changed: z.number().int(), setId: z.string().nullable() })
export type BulkResponse = z.infer<typeof BulkResponse>
export const MergedResponse = BulkResponse.extend({ entity: Entity })
export type MergedResponse = z.infer<typeof MergedResponse>
