import { aliasesOf } from '../../rows/aliases.repo.ts'
import type { IndexedText } from '../../search/analyse/index-text.ts'
import type { EntityToIndex, ObservationToIndex } from '../../search/store/index-graph.ts'
import type { Changed } from './row-changes.ts'

/** Stored texts that were analysed before the write that removes them from the index, or returns them to it. */
export type AnalysedTexts = {
  /** The analysis of a row, if the row is as it was then. */
  find: (row: Changed['observations']) => IndexedText | undefined
  /** Of these very rows of entities. */
  names?: ReadonlyMap<object, IndexedText>
}

/** The fields of a row that search needs. */
export function toEntityToIndex(row: Changed['entities'], indexed?: IndexedText): EntityToIndex {
  const { id, name, type, metadata } = row
  return { id, name, aliases: aliasesOf(row.aliases), type, metadata: JSON.parse(metadata), indexed }
}

export function toObservationToIndex(
  { id, content, metadata }: Changed['observations'],
  indexed?: IndexedText,
): ObservationToIndex {
  return { id, content, metadata: metadata === null ? undefined : JSON.parse(metadata), indexed }
}
