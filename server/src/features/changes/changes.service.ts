import type { MergeResponse, UndoResponse, UpdateObservation } from '@loci/contract/changes'
import type { Observation } from '@loci/contract/observations'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { listFormerSpaces } from '../../memory/history/former-spaces.repo.ts'
import { findSetRange } from '../../memory/log/log.repo.ts'
import { findCurrent } from '../../memory/versions/versions.repo.ts'
import { eraseStoredEntity } from '../../memory/write/erase-entity.ts'
import { mergeStoredEntities } from '../../memory/write/merge-entities.ts'
import { planRestore } from '../../memory/write/restore-entity.ts'
import { reviseObservationOf } from '../../memory/write/revise-observation.ts'
import { countSteps } from '../../memory/write/row-changes.ts'
import { planUndo } from '../../memory/write/undo-changes.ts'
import { type GraphReader, type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import { writePlanned } from '../../memory/write/write-planned.ts'
import { toShownObservation } from '../../rows/codec.ts'
import { pastTables, type Versions } from '../../rows/columns.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import { transact } from '../../store/transact.ts'
import { type Actor, actorOn } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { forgetAnswersWith } from '../../tenancy/forget-answers.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { forgetRecalls, storeWaitingRecalls } from '../../tenancy/usage/forget-recalls.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getEntity, type VersionedEntity } from '../entities/entities.service.ts'
import { eraseTraces } from '../erasures/erase-traces.ts'
import { finishErasing } from '../erasures/finish-erasing.ts'

/** Undoes a set of changes. Throws `change_set_not_found`, `undo_conflict`. */
export async function undoChangeSet(ctx: Context, actor: Actor, setId: string): Promise<UndoResponse> {
  const number = toNumber('set', setId)
  if (number === undefined) throw setNotFound()
  if (ctx.dialect.name === 'postgres') await learnSizes(ctx, actor, number)
  const plan = async (reader: GraphReader) => {
    const range = await findSetRange(reader.db, reader.scope, number)
    if (range === undefined) throw setNotFound()
    return planUndo(reader, range)
  }
  return writePlanned(ctx, actor, plan, ({ setSeq }, steps) => ({
    undone: countSteps(steps),
    setId: toId('set', setSeq),
  }))
}

const setNotFound = () => new AppError('change_set_not_found', 'Change set not found')

/** From so many changes on, looking up past rows without statistics costs more than the statistics. */
const changesToLearn = 500

async function learnSizes({ db, dialect }: Context, scope: Scope, set: number): Promise<void> {
  const range = await findSetRange(db, scope, set)
  if (range !== undefined && range.last - range.first >= changesToLearn)
    await dialect.updateStatistics(db, undefined, Object.values(pastTables))
}

/** Throws `entity_not_found`, `entity_name_taken`. */
export async function restoreEntity(ctx: Context, actor: Actor, id: string): Promise<VersionedEntity> {
  const number = toNumber('ent', id)
  if (number === undefined) throw new AppError('entity_not_found', 'Entity not found')
  const plan = (reader: GraphReader) => planRestore(reader, number)
  return writePlanned(ctx, actor, plan, (write) => getEntity(write.ctx, actor, id))
}

/** Merges an entity into another one. Throws `same_entity`, `entity_not_found`. */
export async function mergeEntity(
  ctx: Context,
  actor: Actor,
  id: string,
  into: string,
): Promise<MergeResponse> {
  if (id === into) throw new AppError('same_entity', 'An entity cannot be merged into itself')
  return writeGraph(ctx, actor, async (write) => {
    await mergeStoredEntities(
      write,
      await getRow(write, id),
      await getRow(write, into, 'Target entity not found'),
    )
    const { entity } = await getEntity(write.ctx, actor, into)
    return { entity, setId: toId('set', write.setSeq) }
  })
}

async function getRow(
  { db, scope }: GraphWrite,
  id: string,
  message = 'Entity not found',
): Promise<Versions['entities']> {
  const number = toNumber('ent', id)
  const row =
    number === undefined ? undefined : (await findCurrent(db, scope, 'entities', [number])).get(number)
  if (row === undefined) throw new AppError('entity_not_found', message)
  return row
}

/**
 * Erases an entity permanently, including from stored responses and from its former spaces. Throws `entity_not_found`.
 */
export const eraseEntity = (ctx: Context, actor: Actor, id: string): Promise<void> =>
  eraseEntities(ctx, actor, [id])

/** The same for several, one after the other. */
export async function eraseEntities(ctx: Context, actor: Actor, ids: readonly string[]): Promise<void> {
  await storeWaitingRecalls(ctx)
  const spaces = new Map<number, Scope>()
  for (const id of ids) for (const scope of await eraseOne(ctx, actor, id)) spaces.set(scope.spaceId, scope)
  await finishErasing(ctx, [...spaces.values()])
}

/** Returns the spaces in which it was. */
function eraseOne(ctx: Context, actor: Actor, id: string): Promise<Scope[]> {
  const number = toNumber('ent', id)
  if (number === undefined) throw new AppError('entity_not_found', 'Entity not found')
  const { accountId } = actor
  return transact(ctx, accountId, async (inner) => {
    const former = await listFormerSpaces(inner.db, actor, number)
    await eraseIn(inner, actor, number)
    for (const spaceId of former) await eraseIn(inner, actorOn(actor, { accountId, spaceId }), number)
    // Not its name, which is erased.
    await recordAudit(inner, actor, {
      action: 'entity_erased',
      subject: { kind: 'entity', id },
      details: { space: toId('spc', actor.spaceId) },
    })
    return [actor, ...[...former].map((spaceId) => ({ accountId, spaceId }))]
  })
}

async function eraseIn(ctx: Context, actor: Actor, number: number): Promise<void> {
  const entities = await writeGraph(ctx, actor, async (write) => {
    const erased = await eraseStoredEntity(write, number)
    const ids = [
      ...erased.entities.map((entity) => toId('ent', entity)),
      ...erased.observations.map((observation) => toId('obs', observation)),
      ...erased.relations.map((relation) => toId('rel', relation)),
    ]
    await forgetAnswersWith(write.ctx, write.scope.accountId, new Set(ids))
    await forgetRecalls(write.ctx, write.scope, { ids: new Set(ids), names: erased.names })
    return erased.entities
  })
  await eraseTraces(ctx, actor, { entities })
}

/** Corrects one observation. Throws `entity_not_found`, `observation_not_found`. */
export async function updateObservation(
  ctx: Context,
  actor: Actor,
  { id, observationId }: { id: string; observationId: string },
  change: UpdateObservation,
): Promise<Observation> {
  return writeGraph(ctx, actor, async (write) => {
    await getRow(write, id)
    const [observation] = await findObservations(write.db, write.scope, [observationId])
    if (observation?.entityId !== id) throw new AppError('observation_not_found', 'Observation not found')
    return toShownObservation(await reviseObservationOf(write, observation, change))
  })
}
