import type { AnalyticsSummary, MonthlySummary, OperationCounts } from '@loci/contract/analytics'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const noOperations: OperationCounts = { queries: 0, creates: 0, updates: 0, deletes: 0, total: 0 }
const noRequests: MonthlySummary = { totalRequests: 0, breakdown: {}, details: [] }

/** Shown on the dashboard when the summary failed to load. */
export const emptySummary: AnalyticsSummary = {
  totalEntities: 0,
  totalRelations: 0,
  totalObservations: 0,
  recentEntities: [],
  entityTypeStats: [],
  activityStats: [],
  createdToday: { entities: 0, relations: 0, observations: 0 },
  lastRecall: null,
  userPlan: 'free',
  apiKeyCount: 0,
  webhookCount: 0,
  todayApiCalls: 0,
  monthlyUsage: noOperations,
  billingData: noRequests,
}

export function useAnalytics() {
  return useQuery({ queryKey: queryKeys.summary(), queryFn: ({ signal }) => api.analytics({ signal }) })
}

export function useUsageDays() {
  return useQuery({
    queryKey: queryKeys.usageDays(),
    queryFn: async () => (await api.usageDays()).days,
  })
}

export function useUsage() {
  return useQuery({ queryKey: queryKeys.usage(), queryFn: () => api.usage() })
}
