import type { EntityToIndex, ObservationToIndex } from '../search-index/index-graph.ts'
import { aliasesOf } from './aliases.repo.ts'
import type { Versions } from './versions.repo.ts'

/** What search needs of a row. */
export function toEntityToIndex(row: Versions['entities']): EntityToIndex {
  const { id, name, type, metadata, created_at: createdAt } = row
  return { id, name, aliases: aliasesOf(row.aliases), type, metadata: JSON.parse(metadata), createdAt }
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
