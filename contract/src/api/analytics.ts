import { AnalyticsSummary, MonthlySummary, OperationCounts, UsageResponse } from '../analytics.ts'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

export const analyticsApi = endpoints({
  analytics: {
    method: 'GET',
    path: '/api/analytics',
    access: 'memory:read',
    tag: 'Analytics',
    summary: 'Summary for the dashboard',
    ...json,
    response: AnalyticsSummary,
  },
  realTimeStats: {
    method: 'GET',
    path: '/api/analytics/stats/real-time',
    access: 'memory:read',
    tag: 'Analytics',
    summary: 'Operations of today',
    ...json,
    // Today's (UTC).
    response: OperationCounts,
  },
  monthlySummary: {
    method: 'GET',
    path: '/api/analytics/billing/monthly-summary',
    access: 'memory:read',
    tag: 'Analytics',
    summary: 'Operations of this month',
    ...json,
    response: MonthlySummary,
  },
  usage: {
    method: 'GET',
    path: '/api/analytics/usage',
    access: 'memory:read',
    tag: 'Analytics',
    summary: 'Use against the plan',
    ...json,
    response: UsageResponse,
  },
})
