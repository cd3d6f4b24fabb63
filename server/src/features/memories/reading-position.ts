import type { Relation } from '@loci/contract/relations'
import type { StoredEntity } from '../../rows/codec.ts'
import { findEntity } from '../../rows/entities.repo.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import { findRelation } from '../../rows/relations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { findCalled } from './find-called.ts'
import { entityNotFound } from './not-found.ts'

/** Where a reader continues: after an entity, or within it, after one of its observations or relations. */
export type Place = {
  entity: StoredEntity
  /** `told`: characters of the observation already returned; if absent, all of them. */
  observation?: { id: string; told?: number }
  relation?: Relation
}

const observationPlace = /^(obs_[0-9a-z]{1,11})(?::(\d{1,9}))?$/

/** A place within an observation, after `told` of its characters. */
export const placeWithin = (observationId: string, told: number) => `${observationId}:${told}`

/**
 * The place that a notice gave: the name of an entity, or the id of an observation or relation. A relation belongs to
 * its source, unless only its target `isRead`. Throws `entity_not_found`.
 */
export async function findPlace(
  ctx: Context,
  actor: Actor,
  after: string,
  isRead: (entityId: string) => boolean = () => true,
): Promise<Place> {
  const entity = (await findCalled(ctx, actor, [after])).get(after)
  const place = entity === undefined ? await findPlaceWithin(ctx, actor, after, isRead) : { entity }
  if (place !== undefined) return place
  throw await entityNotFound(ctx, actor, [after], 'Leave "after" out to begin anew.')
}

async function findPlaceWithin(
  ctx: Context,
  actor: Actor,
  after: string,
  isRead: (entityId: string) => boolean,
): Promise<Place | undefined> {
  const [, id, told] = observationPlace.exec(after) ?? []
  if (id !== undefined) {
    const [observation] = await findObservations(ctx.db, actor, [id])
    const entity = await findEntity(ctx.db, actor, observation?.entityId ?? '')
    return entity && { entity, observation: told === undefined ? { id } : { id, told: Number(told) } }
  }
  const relation = await findRelation(ctx.db, actor, after)
  if (relation === undefined) return undefined
  const { fromEntityId, toEntityId } = relation
  const entity = await findEntity(ctx.db, actor, isRead(fromEntityId) ? fromEntityId : toEntityId)
  return entity && { entity, relation }
}
