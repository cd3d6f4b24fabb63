import type { UndoResponse } from '@loci/contract/changes'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors/app-error.ts'
import { findByName } from '../../graph/create-missing.ts'
import type { StoredEntity } from '../../graph/entities.repo.ts'
import {
  findObservations,
  findObservationsWith,
  type StoredObservation,
} from '../../graph/observations.repo.ts'
import { reviseObservationOf } from '../../graph/revise-observation.ts'
import { type GraphWrite, writeGraph } from '../../graph/write-graph.ts'
import { toId } from '../../lib/ids.ts'
import { undoChangeSet } from '../changes/changes.service.ts'
import { mergeInto } from '../entities/bulk-entities.service.ts'
import { describeMissedObservations } from './describe-missed.ts'
import { advice, entityNotFound, shorten } from './not-found.ts'

/** Corrects memory: changes an observation, merges duplicate entities, undoes a whole call. */

async function requireNamed(write: GraphWrite, names: readonly string[]): Promise<StoredEntity[]> {
  const found = await findByName(write, names)
  const missing = names.filter((name) => !found.has(name))
  if (missing.length > 0) throw await entityNotFound(write.ctx, write.scope, missing, advice.read)
  return names.map((name) => found.get(name)!)
}

/** Changes the text of an observation. Throws `entity_not_found`, `observation_not_found`. */
export async function updateNamedObservation(
  ctx: Context,
  actor: Actor,
  {
    entityName,
    observation,
    newObservation,
  }: Record<'entityName' | 'observation' | 'newObservation', string>,
): Promise<{ id: string; entityName: string; observation: string }> {
  return writeGraph(ctx, actor, async (write) => {
    const [entity] = await requireNamed(write, [entityName])
    const stored = await findObservation(write, entity!.id, observation)
    if (stored === undefined) {
      const missed = [{ entityName, entity, asked: observation }]
      throw new AppError('observation_not_found', await describeMissedObservations(write.ctx, actor, missed))
    }
    const { id, content } = await reviseObservationOf(write, stored, { content: newObservation })
    return { id, entityName: entity!.name, observation: content }
  })
}

/** The observation of an entity with this text, or else with this id. */
async function findObservation(
  { db, scope }: GraphWrite,
  entityId: string,
  asked: string,
): Promise<StoredObservation | undefined> {
  const [withText] = await findObservationsWith(db, scope, entityId, [asked])
  if (withText !== undefined) return withText
  const [withId] = await findObservations(db, scope, [asked])
  return withId?.entityId === entityId ? withId : undefined
}

export type Merged = { name: string; aliases: string[]; observations: number }

/** Merges several entities into another in one call. Throws `same_entity`, `entity_not_found`. */
export async function mergeNamedEntities(
  ctx: Context,
  actor: Actor,
  { names, into }: { names: readonly string[]; into: string },
): Promise<Merged> {
  return writeGraph(ctx, actor, async (write) => {
    const [target, ...sources] = await requireNamed(write, [into, ...new Set(names)])
    const ids = new Set(sources.map(({ id }) => id))
    if (ids.has(target!.id)) throw new AppError('same_entity', 'An entity cannot be merged into itself')
    const { entity } = await mergeInto(write.ctx, actor, { ids: [...ids], into: target!.id })
    const { name, aliases = [], observationsCount } = entity
    return { name, aliases, observations: observationsCount }
  })
}

const conflictCharactersMax = 300

/** Undoes the call that `list_changes` shows under this number. Throws `change_set_not_found`, `undo_conflict`. */
export async function undoNamedChanges(ctx: Context, actor: Actor, number: number): Promise<UndoResponse> {
  try {
    return await undoChangeSet(ctx, actor, toId('set', number))
  } catch (error) {
    // The details have up to 50 names, which can be long; the message has the first.
    if (error instanceof AppError && error.code === 'undo_conflict')
      throw new AppError('undo_conflict', shorten(error.message, conflictCharactersMax))
    throw error
  }
}
