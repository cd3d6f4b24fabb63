import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import { toId } from '../lib/ids.ts'
import { toIso } from '../lib/time.ts'
import type { Versions } from './versions.repo.ts'

/** The parts of an entity that change without a new version of its row. */
export type Touched = { observationsCount: number; updatedAt: number }

/** An entity as reads returned it while that version was current. */
export function toEntityState(row: Versions['entities'], { observationsCount, updatedAt }: Touched): Entity {
  const entity: Entity = {
    id: toId('ent', row.id),
    name: row.name,
    type: row.type,
    metadata: JSON.parse(row.metadata),
    observationsCount,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(updatedAt),
  }
  if (row.aliases !== null) entity.aliases = JSON.parse(row.aliases)
  return entity
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
  return toEntityState(row, { observationsCount: row.observations_count, updatedAt: row.updated_at })
}

export function toObservationState(row: Versions['observations']): Observation {
  const observation: Observation = {
    id: toId('obs', row.id),
    content: row.content,
    createdAt: toIso(row.created_at),
  }
  if (row.updated_at !== null) observation.updatedAt = toIso(row.updated_at)
  if (row.metadata !== null) observation.metadata = JSON.parse(row.metadata)
  return observation
}

type End = { name: string; type: string }

/** If the history of an end was erased, its name is gone too. */
const erasedEnd: End = { name: '', type: '' }

export function toRelationState(
  row: Versions['relations'],
  source: End = erasedEnd,
  target: End = erasedEnd,
): Relation {
  return {
    id: toId('rel', row.id),
    fromEntityId: toId('ent', row.from_id),
    toEntityId: toId('ent', row.to_id),
    type: row.type,
    relationType: row.type,
    createdAt: toIso(row.created_at),
    fromEntity: { name: source.name, type: source.type },
    toEntity: { name: target.name, type: target.type },
  }
}
