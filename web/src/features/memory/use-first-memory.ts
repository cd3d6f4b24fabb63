import type { Change } from '@loci/contract/changes'
import { useRef } from 'react'
import { firstMemoryIn } from './first-memory.ts'
import { useLearnedLately } from './memory.queries.ts'

/**
 * The first observations seen that an agent stored, all of one entity and one call; undefined until then. They stay the
 * same while the page is open.
 */
export function useFirstMemory(): Change[] | undefined {
  const { data = [] } = useLearnedLately()
  const kept = useRef<Change[]>(undefined)
  kept.current ??= firstMemoryIn(data)
  return kept.current
}
