import type { AuditEvent } from '@loci/contract/audit'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import type { AuditFilter } from '../../lib/filters.ts'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const pageSize = '100'
const dayMs = 86_400_000
const daysOf: Record<string, number> = { day: 1, week: 7, month: 30, quarter: 90 }

/** Converts the screen's choices to query parameters. */
export function toQuery({ category, userId, since = '' }: AuditFilter, now: number) {
  const days = daysOf[since]
  const after = days === undefined ? undefined : new Date(now - days * dayMs).toISOString()
  return { category, userId, after }
}

/** Events in the account, newest first. */
export function useAudit(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: queryKeys.audit(filter),
    queryFn: ({ pageParam, signal }) =>
      api.listAudit({
        query: { ...toQuery(filter, Date.now()), limit: pageSize, cursor: pageParam },
        signal,
      }),
    ...pagingOptions,
  })
}

/** The filtered events as a file. */
export function useAuditExport(filter: AuditFilter) {
  return useMutation({
    mutationFn: async () => {
      const answer = await api.exportAudit({ query: toQuery(filter, Date.now()) })
      download(await answer.blob(), 'audit.csv')
    },
  })
}

export function groupByDay(events: readonly AuditEvent[]): { day: string; events: AuditEvent[] }[] {
  const days = Map.groupBy(events, ({ at }) => new Date(at).toDateString())
  return [...days].map(([day, ofDay]) => ({ day, events: ofDay }))
}
