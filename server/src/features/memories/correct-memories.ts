import type { UndoResponse } from '@loci/contract/changes'
import { isTold } from '@loci/contract/observations'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { citeFiles, confirmFiles } from '../../memory/write/cite-files.ts'
import { reviseObservationOf } from '../../memory/write/revise-observation.ts'
import { type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import type { StoredEntity, StoredObservation } from '../../rows/codec.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { findObservations, findObservationsWith } from '../../rows/observations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { undoChangeSet } from '../changes/changes.service.ts'
import { mergeInto } from '../entities/bulk-entities.service.ts'
import { isObservationId } from './delete-memories.ts'
import { describeMissedObservations } from './describe-missed.ts'
import { findCalled } from './find-called.ts'
import { findShownAs } from './find-shown.ts'
import { advice, entityNotFound, quote, shorten } from './not-found.ts'

/** Corrects memory: changes an observation, merges duplicate entities, undoes a whole call. */

async function requireNamed(write: GraphWrite, names: readonly string[]): Promise<StoredEntity[]> {
  const found = await findCalled(write.ctx, write.scope, names)
  const missing = names.filter((name) => !found.has(name))
  if (missing.length > 0) throw await entityNotFound(write.ctx, write.scope, missing, advice.read)
  return names.map((name) => found.get(name)!)
}

type Correction = {
  entityName?: string | undefined
  observation: string
  newObservation?: string | undefined
  at?: string | undefined
  until?: string | undefined
  replaces?: string[] | undefined
}

/**
 * Changes the text of an observation, or when it was true and what it replaces; without any change, confirms one whose
 * files have changed. The entity's name may be undefined if its id is given. Throws `entity_not_found`,
 * `observation_not_found`.
 */
export async function updateNamedObservation(
  ctx: Context,
  actor: Actor,
  { entityName, observation, newObservation, ...fields }: Correction,
): Promise<{ id: string; entityName: string; observation: string }> {
  return writeGraph(ctx, actor, async (write) => {
    const { entity, stored } =
      entityName === undefined
        ? await requireById(write, observation)
        : await requireOf(write, entityName, observation)
    const replaces = await toIds(write, entity, fields.replaces)
    const given = Object.values({ newObservation, ...fields }).some((value) => value !== undefined)
    const { id, content } =
      !given && stored.stale !== undefined
        ? await citeFiles(write, stored, { files: confirmFiles(stored), stale: undefined })
        : await reviseObservationOf(write, stored, { content: newObservation, ...fields, replaces })
    return { id, entityName: entity.name, observation: content }
  })
}

type Found = { entity: StoredEntity; stored: StoredObservation }

async function requireById({ db, scope }: GraphWrite, id: string): Promise<Found> {
  const [stored] = await findObservations(db, scope, [id])
  if (stored !== undefined) {
    const [entity] = await findEntitiesById(db, scope, [stored.entityId])
    return { entity: entity!, stored }
  }
  const message = isObservationId(id)
    ? `No observation has the id ${id}.`
    : `${quote(id)} is no id of an observation. Give its id (obs_...), or the entityName too.`
  throw new AppError('observation_not_found', message)
}

async function requireOf(write: GraphWrite, entityName: string, observation: string): Promise<Found> {
  const [entity] = await requireNamed(write, [entityName])
  return { entity: entity!, stored: await requireObservation(write, entity!, observation, entityName) }
}

async function requireObservation(
  write: GraphWrite,
  entity: StoredEntity,
  asked: string,
  entityName = entity.name,
): Promise<StoredObservation> {
  const stored = await findObservation(write, entity.id, asked)
  if (stored !== undefined) return stored
  const missed = [{ entityName, entity, asked }]
  throw new AppError(
    'observation_not_found',
    await describeMissedObservations(write.ctx, write.scope, missed),
  )
}

/** The observation of an entity with this text, one that is told first, or else with this id, or shown as this text. */
async function findObservation(
  { db, scope, at }: GraphWrite,
  entityId: string,
  asked: string,
): Promise<StoredObservation | undefined> {
  const withTexts = await findObservationsWith(db, scope, entityId, [asked])
  const withText = withTexts.find((one) => isTold(one, at)) ?? withTexts[0]
  if (withText !== undefined) return withText
  const [withId] = await findObservations(db, scope, [asked])
  if (withId?.entityId === entityId) return withId
  return (await findShownAs(db, scope, entityId, [asked])).get(asked)
}

/**
 * The ids of facts to replace: agents also give the exact text of one of the same entity. Throws
 * `observation_not_found`, with the nearest one.
 */
export async function toIds<T extends string[] | undefined>(
  write: GraphWrite,
  entity: StoredEntity,
  asked: T,
): Promise<T | string[]> {
  if (asked === undefined || asked.every(isObservationId)) return asked
  const ids: string[] = []
  for (const one of asked)
    ids.push(isObservationId(one) ? one : (await requireObservation(write, entity, one)).id)
  return ids
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
    if (error instanceof AppError && error.code === 'change_set_not_found')
      throw new AppError('change_set_not_found', `No call has the number ${number}; list_changes tells them`)
    throw error
  }
}
