import type { Change } from '@loci/contract/changes'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { momentsOf, type Period } from '../../lib/days.ts'
import type { HistoryFilter } from '../../lib/filters.ts'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { operationsOf } from './history.rules.ts'

const pageSize = '100'

/** The changes of the memory, newest first; an empty page need not be the last. */
export function useHistory(filter: HistoryFilter) {
  const { kind = '', after, before, ...by } = filter
  return useInfiniteQuery({
    queryKey: queryKeys.historyList(filter),
    queryFn: ({ pageParam, signal }) => {
      const operation = operationsOf[kind]?.join(',')
      const query = { ...by, ...timesOf({ after, before }), operation, limit: pageSize, cursor: pageParam }
      return api.listChanges({ query, signal })
    },
    ...pagingOptions,
  })
}

/** How many changes each writer made of each kind. */
export function useHistoryCounts({ after, before }: HistoryFilter) {
  return useQuery({
    queryKey: queryKeys.historyCounts({ after, before }),
    queryFn: ({ signal }) => api.countChanges({ query: timesOf({ after, before }), signal }),
    placeholderData: keepPreviousData,
  })
}

/** Both are exclusive for the server. */
function timesOf(period: Period) {
  const { begin, end } = momentsOf(period)
  return { after: begin && new Date(Date.parse(begin) - 1).toISOString(), before: end }
}

export const changesOf = (data: { pages: { changes: Change[] }[] } | undefined): Change[] =>
  data?.pages.flatMap(({ changes }) => changes) ?? []
