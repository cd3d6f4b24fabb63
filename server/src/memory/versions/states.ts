import type { Entity } from '@loci/contract/entities'
import type { Relation } from '@loci/contract/relations'
import { type End, showEntity, toRelation } from '../../rows/codec.ts'
import type { Versions } from '../../rows/columns.ts'

/** The parts of an entity that change without a new version of its row. */
export type Touched = { observationsCount: number; updatedAt: number }

/** An entity as reads returned it while that version was current. */
export function toEntityState(row: Versions['entities'], { observationsCount, updatedAt }: Touched): Entity {
  return showEntity({ ...row, observations_count: observationsCount, updated_at: updatedAt })
}

/** At the start of the version, in a set of changes made at `at`. */
export function toEntityStateAtFirst(row: Versions['entities'], at: number): Entity {
  // Only imports set this time explicitly, to an earlier one.
  return toEntityState(row, {
    observationsCount: row.since_observations,
    updatedAt: Math.min(row.updated_at, at),
  })
}

/** At the end of the version, or as it is now. */
export function toEntityStateAtLast(row: Versions['entities']): Entity {
  return showEntity(row)
}

/** If the history of an end was erased, its name is gone too. */
const erasedEnd: End = { name: '', type: '' }

export const toRelationState = (
  row: Versions['relations'],
  source: End = erasedEnd,
  target: End = erasedEnd,
): Relation => toRelation(row, source, target)
