import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { type StoredObservation, toStoredObservation } from '../../rows/codec.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findCurrent, findLastPast } from '../versions/versions.repo.ts'
import { erasePastObservation, listPastContents } from './erase.writes.repo.ts'
import { findConcerning } from './proposals/proposals.repo.ts'
import { deleteProposals } from './proposals/proposals.writes.repo.ts'
import { removeObservations } from './remove-entities.ts'
import type { GraphWrite } from './write-graph.ts'

/**
 * Permanently erases an observation: its current and past rows and its search data. The log keeps the fact, time and
 * author of the erasure. Returns it if it was current. Throws `observation_not_found`.
 */
export async function eraseStoredObservation(
  write: GraphWrite,
  id: number,
): Promise<StoredObservation | undefined> {
  const { db, scope } = write
  const row = (await findCurrent(db, scope, 'observations', [id])).get(id)
  if (row === undefined && !(await findLastPast(db, scope, 'observations', [id])).has(id))
    throw new AppError('observation_not_found', 'Observation not found')
  const current = row && toStoredObservation(row)
  if (current !== undefined) await removeObservations(write, [current])
  await erasePastObservation(db, scope, id)
  await deleteProposals(db, scope, await findConcerning(db, scope, [id]))
  write.record({ operation: 'observation_erased', subjectId: id })
  return current && { ...current, id: toId('obs', id) }
}

/** Every text that an observation has or had in a space. */
export async function listTextsOfObservation(db: Db, scope: Scope, id: number): Promise<string[]> {
  const current = (await findCurrent(db, scope, 'observations', [id])).get(id)
  const past = await listPastContents(db, scope, id)
  return [...new Set([...(current === undefined ? [] : [current.content]), ...past])]
}
