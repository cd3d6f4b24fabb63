import { aliasesOf } from '../../rows/aliases.repo.ts'
import type { Versions } from '../../rows/columns.ts'
import type { IndexedText } from '../../search/analyse/index-text.ts'
import type { EntityToIndex, ObservationToIndex } from '../../search/store/index-graph.ts'

/** The fields of a row that search needs. */
export function toEntityToIndex(row: Versions['entities']): EntityToIndex {
  const { id, name, type, metadata } = row
  return { id, name, aliases: aliasesOf(row.aliases), type, metadata: JSON.parse(metadata) }
}

export function toObservationToIndex(
  { id, content, metadata }: Pick<Versions['observations'], 'id' | 'content' | 'metadata'>,
  indexed?: IndexedText,
): ObservationToIndex {
  return { id, content, metadata: metadata === null ? undefined : JSON.parse(metadata), indexed }
}
