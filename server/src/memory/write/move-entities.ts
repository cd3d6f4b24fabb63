import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { breathe } from '../../ground/lib/pace.ts'
import type { VersionedTable, Versions } from '../../rows/columns.ts'
import { listOwned } from '../history/rows-of-entity.repo.ts'
import { findCurrent } from '../versions/versions.repo.ts'
import { applySteps } from './apply-steps.ts'
import { findConflicts } from './find-conflicts.ts'
import { forgetReplaced } from './replacements.ts'
import type { Steps } from './row-changes.ts'
import type { GraphWrite } from './write-graph.ts'

/** The rows that leave one space for another, unchanged; `left` are the relations whose other end stays. */
export type Leaving = { [T in VersionedTable]: Versions[T][] } & { left: Versions['relations'][] }

/**
 * Removes entities from a space with their observations and the relations among them; relations to
 * entities that stay are deleted. Throws `entity_not_found`.
 */
export async function takeOut(write: GraphWrite, ids: readonly number[]): Promise<Leaving> {
  const { db, scope } = write
  const found = await findCurrent(db, scope, 'entities', ids)
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined)
    throw new AppError('entity_not_found', `Entity ${toId('ent', missing)} not found`)
  const observations: Versions['observations'][] = []
  const relations = new Map<number, Versions['relations']>()
  for (const id of found.keys()) {
    await breathe()
    observations.push(...(await listOwned(db, scope, 'observations', 'entity_id', id)))
    for (const end of ['from_id', 'to_id'] as const)
      for (const row of await listOwned(db, scope, 'relations', end, id)) relations.set(row.id, row)
  }
  const entities = [...found.values()]
  await applySteps(write, {
    entities: entities.map(going),
    observations: observations.map(going),
    relations: [...relations.values()].map(going),
  })
  await forgetReplaced(write, observations)
  const stays = ({ from_id, to_id }: Versions['relations']) => !found.has(from_id) || !found.has(to_id)
  return {
    entities,
    observations,
    relations: [...relations.values()].filter((row) => !stays(row)),
    left: [...relations.values()].filter(stays),
  }
}

const going = <Row>(before: Row) => ({ before, after: undefined })
const coming = <Row>(after: Row) => ({ before: undefined, after })

/** Inserts rows that left another space, with their numbers and times. Throws `entity_name_taken`. */
export async function putIn(
  write: GraphWrite,
  { entities, observations, relations }: Leaving,
): Promise<void> {
  const steps: Steps = {
    entities: entities.map(coming),
    observations: observations.map(coming),
    relations: relations.map(coming),
  }
  const conflicts = await findConflicts(write, steps)
  const taken = conflicts.filter(({ subject }) => subject.kind === 'entity')
  if (taken.length > 0) {
    const names = taken.map(({ subject }) => JSON.stringify(subject.name)).join(', ')
    throw new AppError('entity_name_taken', `The space already has an entity of this name: ${names}`, {
      details: taken,
    })
  }
  await applySteps(write, steps)
}
