import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { findAuthors } from '../../graph/authors.repo.ts'
import { type StoredEntity, toShownEntity } from '../../graph/entities.repo.ts'
import { numberOf } from '../../graph/numbers-of.ts'
import {
  listLatestObservations,
  listObservations,
  toShownObservation,
} from '../../graph/observations.repo.ts'

/** The entities of a list in API form, with the requested `observations`, `latest`, `by`, `relations`. */
export async function withIncluded(
  ctx: Context,
  actor: Actor,
  rows: readonly StoredEntity[],
  include: readonly string[] = [],
): Promise<Entity[]> {
  const wants = new Set(include)
  const entities: Entity[] = rows.map((row) =>
    wants.has('relations') ? { ...toShownEntity(row), relationsCount: row.degree } : toShownEntity(row),
  )
  if (wants.has('observations') || wants.has('latest')) {
    const byEntity = await observationsOf(ctx, actor, rows, wants)
    for (const entity of entities) entity.observations = byEntity.get(entity.id) ?? []
  }
  if (wants.has('by')) {
    const authors = await findAuthors(
      ctx.db,
      actor,
      'entities',
      rows.map(({ id }) => numberOf('ent', id)),
    )
    for (const entity of entities) {
      const author = authors.get(numberOf('ent', entity.id))
      if (author !== undefined) entity.by = author
    }
  }
  return entities
}

async function observationsOf(
  { db }: Context,
  actor: Actor,
  entities: readonly Entity[],
  wants: ReadonlySet<string>,
): Promise<Map<string, Observation[]>> {
  const ids = entities.map(({ id }) => id)
  const stored = wants.has('observations')
    ? await listObservations(db, actor, ids)
    : await listLatestObservations(db, actor, ids)
  const numbers = stored.map(({ id }) => numberOf('obs', id))
  const authors = wants.has('by') ? await findAuthors(db, actor, 'observations', numbers) : undefined
  const byEntity = Map.groupBy(stored, ({ entityId }) => entityId)
  const toShown = (observation: (typeof stored)[number]): Observation => {
    const by = authors?.get(numberOf('obs', observation.id))
    return { ...toShownObservation(observation), ...(by && { by }) }
  }
  return new Map([...byEntity].map(([id, observations]) => [id, observations.map(toShown)]))
}
