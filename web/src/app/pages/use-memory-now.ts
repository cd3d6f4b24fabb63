import type { Change } from '@loci/contract/changes'
import { useQuery } from '@tanstack/react-query'
import { entityOptions } from '../../features/entities/entities.queries.ts'
import { contentOf } from '../../features/memory/learned-lately.tsx'
import { isApiError } from '../../lib/errors.ts'

export type MemoryNow = {
  entity: { id: string; name: string; type: string; isGone: boolean }
  /** In the current wording, or in the last known one if they are gone. */
  facts: { id: string; text: string; isGone: boolean }[]
}

/** What is stored now of observations of one entity that were added together; until it is read, what was added. */
export function useMemoryNow(added: readonly Change[] | undefined): MemoryNow | undefined {
  const { entityId: id = '', entityName = '', entityType = '' } = added?.[0]?.subject ?? {}
  const { data, error } = useQuery({ ...entityOptions(id), enabled: id !== '' })
  if (added === undefined) return undefined
  const isGone = isApiError(error, 'entity_not_found')
  const stored = isGone ? [] : data?.entity.observations
  return {
    entity: { id, name: data?.entity.name ?? entityName, type: data?.entity.type ?? entityType, isGone },
    facts: added.map(({ subject, after }) => {
      const current = stored?.find((observation) => observation.id === subject.id)
      return {
        id: subject.id,
        text: contentOf(current ? { content: current.content } : after),
        isGone: stored !== undefined && current === undefined,
      }
    }),
  }
}
