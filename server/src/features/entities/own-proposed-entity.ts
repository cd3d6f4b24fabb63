import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { ProposedChange } from '@loci/contract/proposals'
import { AppError } from '../../ground/errors/app-error.ts'
import { compareIds, toNumber } from '../../ground/lib/ids.ts'
import { listOwnChanges } from '../../memory/write/proposals/own-changes.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { getEntity, type VersionedEntity } from './entities.service.ts'

/**
 * An entity as its caller sees it who proposed changes of it: with the facts that it proposed, marked as such. An entity
 * that is only proposed has the version 0. Throws `entity_not_found`.
 */
export async function getEntityWithProposed(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<VersionedEntity> {
  const stored = await getEntity(ctx, actor, id).catch((error) => {
    if (!(error instanceof AppError) || error.code !== 'entity_not_found') throw error
  })
  const number = toNumber('ent', id)
  const changes = number === undefined ? [] : await listOwnChanges(ctx.db, actor, number)
  const found = stored ?? newlyProposed(changes, id)
  if (found === undefined) throw new AppError('entity_not_found', 'Entity not found')
  const observations = new Map(found.entity.observations.map((one) => [one.id, one]))
  for (const { operation, subject, after } of changes) {
    if (subject.entityId !== id || after === null || operation === 'observation_deleted') continue
    observations.set(subject.id, { ...(after as unknown as Observation), state: 'proposed' })
  }
  const list = [...observations.values()].sort((a, b) => compareIds(a.id, b.id))
  return { ...found, entity: { ...found.entity, observations: list } }
}

function newlyProposed(changes: readonly ProposedChange[], id: string): VersionedEntity | undefined {
  const change = changes.find(({ operation, subject }) => operation === 'entity_created' && subject.id === id)
  if (change === undefined) return undefined
  return { entity: { ...(change.after as unknown as Entity), observations: [] }, version: 0 }
}
