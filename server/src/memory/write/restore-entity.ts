import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import type { VersionedTable, Versions } from '../../rows/columns.ts'
import { listEndedOf, listLostWithOthers } from '../history/rows-of-entity.repo.ts'
import { findFitting, findSetRange, type LoggedChange } from '../log/log.repo.ts'
import { findCurrent, findLastPast } from '../versions/versions.repo.ts'
import { findConflicts, movedMessage } from './find-conflicts.ts'
import type { Steps } from './row-changes.ts'
import type { GraphReader } from './write-graph.ts'

const notFound = () => new AppError('entity_not_found', 'Entity not found')

/**
 * Restores a deleted entity, with the observations and relations that were deleted in the same set, and
 * relations lost earlier with an entity that exists again by now; only relations whose other end exists
 * and that have not been created again. Does nothing if the entity exists. Throws `entity_not_found`,
 * `entity_name_taken`, and `undo_conflict` if it was moved.
 */
export async function planRestore(reader: GraphReader, id: number): Promise<Steps> {
  const { db, scope } = reader
  if ((await findCurrent(db, scope, 'entities', [id])).has(id)) return noSteps
  const entity = (await findLastPast(db, scope, 'entities', [id])).get(id)
  if (entity === undefined) throw notFound()
  const deletion = await findDeletion(reader, entity)
  if (deletion.operation === 'entity_merged') throw wasMerged(entity.name, deletion.setSeq)
  const steps = await planReturn(reader, entity, deletion)
  const conflicts = await findConflicts(reader, steps)
  const taken = conflicts.find(({ subject }) => subject.kind === 'entity')
  if (taken?.message === movedMessage) {
    const message = `${JSON.stringify(entity.name)} was moved to another space.`
    throw new AppError('undo_conflict', message, { details: [taken] })
  }
  if (taken !== undefined) {
    const message = `It cannot be restored: ${taken.message}. Rename that one first.`
    throw new AppError('entity_name_taken', message, { details: [taken] })
  }
  const left = new Set(conflicts.map(({ subject }) => subject.id))
  const relations = steps.relations.filter(({ after }) => !left.has(toId('rel', after!.id)))
  return { ...steps, relations }
}

const noSteps: Steps = { entities: [], observations: [], relations: [] }

const wasMerged = (name: string, setSeq: number) => {
  const set = toId('set', setSeq)
  const message = `${JSON.stringify(name)} was merged into another entity. Undo the change set ${set} to part them again.`
  return new AppError('entity_name_taken', message)
}

/** The change that deleted an entity. */
async function findDeletion({ db, scope }: GraphReader, { until }: Versions['entities']) {
  const [deletion] = await findFitting(db, scope, [until ?? 0], {})
  if (deletion === undefined) throw notFound()
  return deletion
}

/** The steps that restore what was deleted together with an entity. */
async function planReturn(
  reader: GraphReader,
  entity: Versions['entities'],
  { setSeq }: LoggedChange,
): Promise<Steps> {
  const { db, scope } = reader
  const set = await findSetRange(db, scope, setSeq)
  if (set === undefined) throw notFound()
  const relations = [
    ...(await listEndedOf(db, scope, 'relations', 'from_id', entity.id, set)),
    ...(await listEndedOf(db, scope, 'relations', 'to_id', entity.id, set)),
    ...(await findLost(reader, entity.id, set.first)),
  ]
  return {
    entities: [{ before: undefined, after: entity }],
    observations: await toReturn(
      reader,
      'observations',
      await listEndedOf(db, scope, 'observations', 'entity_id', entity.id, set),
    ),
    relations: await toReturn(reader, 'relations', relations),
  }
}

/** The relations lost before a change, with their other ends, that have not existed since. */
async function findLost({ db, scope }: GraphReader, entityId: number, before: number) {
  const lost = [
    ...(await listLostWithOthers(db, scope, 'from_id', entityId, before)),
    ...(await listLostWithOthers(db, scope, 'to_id', entityId, before)),
  ]
  const ids = lost.map(({ id }) => id)
  const newest = await findLastPast(db, scope, 'relations', ids)
  return lost.filter(({ id, since }) => newest.get(id)?.since === since)
}

/** The rows that have not been restored already. */
async function toReturn<T extends VersionedTable>(
  { db, scope }: GraphReader,
  table: T,
  rows: readonly Versions[T][],
) {
  // A self-relation is found from both its ends.
  const byId = new Map(rows.map((row) => [row.id, row]))
  const there = await findCurrent(db, scope, table, [...byId.keys()])
  return [...byId.values()].filter(({ id }) => !there.has(id)).map((after) => ({ before: undefined, after }))
}
