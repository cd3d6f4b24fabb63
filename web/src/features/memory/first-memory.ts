import type { Change } from '@loci/contract/changes'
import { isAgent } from '../../ui/writer-name.ts'

/** Takes changes newest first; returns them oldest first. */
export function firstMemoryIn(changes: readonly Change[]): Change[] | undefined {
  const stored = changes.filter(({ actor, after }) => isAgent(actor) && after !== null).toReversed()
  const first = stored[0]
  if (first === undefined) return undefined
  const { setId, subject } = first
  return stored.filter((change) => change.setId === setId && change.subject.entityId === subject.entityId)
}
