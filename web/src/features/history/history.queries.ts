import type { Change } from '@loci/contract/changes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { type HistoryFilter, queryKeys } from '../../lib/query-keys.ts'

const pageSize = '100'

/** The operations behind each choice of "What changed". */
export const operationsOf: Record<string, string> = {
  observations: 'observation_added,observation_updated,observation_deleted',
  relations: 'relation_created,relation_updated,relation_deleted',
  entities: 'entity_created,entity_updated,entity_deleted,entity_erased',
  merges: 'entity_merged',
}

const daysOf: Record<string, number> = { day: 1, week: 7, month: 30 }
const dayMs = 86_400_000

/** The changes of the memory, newest first; an empty page need not be the last. */
export function useHistory(filter: HistoryFilter) {
  const { kind = '', since = '', ...by } = filter
  return useInfiniteQuery({
    queryKey: queryKeys.historyList(filter),
    queryFn: ({ pageParam, signal }) => {
      const days = daysOf[since]
      const after = days === undefined ? undefined : new Date(Date.now() - days * dayMs).toISOString()
      const query = { ...by, operation: operationsOf[kind], after, limit: pageSize, cursor: pageParam }
      return api.listChanges({ query, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export const changesOf = (data: { pages: { changes: Change[] }[] } | undefined): Change[] =>
  data?.pages.flatMap(({ changes }) => changes) ?? []
