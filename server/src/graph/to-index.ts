import type { EntityToIndex, ObservationToIndex } from '../search-index/index-graph.ts'
import type { Versions } from './versions.repo.ts'

/** What search needs of a row. */
export function toEntityToIndex({
  id,
  name,
  type,
  metadata,
  created_at,
}: Versions['entities']): EntityToIndex {
  return { id, name, type, metadata: JSON.parse(metadata), createdAt: created_at }
}

export function toObservationToIndex(row: Versions['observations']): ObservationToIndex {
  const { id, entity_id: entityId, content, metadata, created_at: createdAt } = row
  return {
    id,
    entityId,
    content,
    metadata: metadata === null ? undefined : JSON.parse(metadata),
    createdAt,
  }
}
