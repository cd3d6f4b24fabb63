import { z } from 'zod'
import { listOf } from './checked-first.ts'
import { Entity, EntityType } from './entities.ts'
import { bulkEntitiesMax } from './entity-types.ts'
import { text } from './text.ts'

const Ids = listOf(text(1, 128, 'Entity id'), bulkEntitiesMax, { min: 1 })

/** Body of `POST /api/entities/delete`. Unknown ids are not counted. */
export const DeleteEntities = z.object({ ids: Ids })
/** Body of `POST /api/entities/retype`. */
export const RetypeEntities = z.object({ ids: Ids, type: EntityType })
/** Body of `POST /api/entities/merge`: the entities in `ids` are merged into `into`. */
export const MergeEntities = z.object({ ids: Ids, into: text(1, 128, 'Target entity') })

/** Body of `POST /api/entities/move`: `space` is the id or name of another space. */
export const MoveEntities = z.object({ ids: Ids, space: text(1, 128, 'Space') })
export type MoveEntities = z.infer<typeof MoveEntities>

/**
 * What was moved, as a change set in each of the two spaces. Relations to entities that stayed cannot
 * be moved: `relationsDeleted` is their number.
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

/** Number of entities changed and the set of all changes; null if nothing changed. */
export const BulkResponse = z.object({ changed: z.number().int(), setId: z.string().nullable() })
export type BulkResponse = z.infer<typeof BulkResponse>
export const MergedResponse = BulkResponse.extend({ entity: Entity })
export type MergedResponse = z.infer<typeof MergedResponse>
