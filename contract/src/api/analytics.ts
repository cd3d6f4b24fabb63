import {
  AnalyticsSummary,
  MonthlySummary,
  OperationCounts,
  UsageDaysResponse,
  UsageResponse,
} from '../analytics.ts'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

export const analyticsApi = endpoints({
  analytics: {
    method: 'GET',
    path: '/api/analytics',
    access: 'memory:read',
    tag: 'Analytics',
    summary: 'Get the summary for the dashboard',
    ...json,
    response: AnalyticsSummary,
  },
  realTimeStats: {
    method: 'GET',
    path: '/api/analytics/stats/real-time',
    access: 'memory:read',
    tag: 'Analytics',
    summary: "Get today's operations",
    ...json,
    // Today's (UTC).
    response: OperationCounts,
  },
  monthlySummary: {
    method: 'GET',
    path: '/api/analytics/billing/monthly-summary',
    access: 'memory:read',
    tag: 'Analytics',
    summary: "Get this month's operations",
    ...json,
    response: MonthlySummary,
  },
  usage: {
    method: 'GET',
    path: '/api/analytics/usage',
    access: 'memory:read',
    tag: 'Analytics',
    summary: 'Get usage and plan limits',
    ...json,
    response: UsageResponse,
  },
  usageDays: {
    method: 'GET',
    path: '/api/analytics/days',
    access: 'memory:read',
    tag: 'Analytics',
    summary: 'Get the operations of the last 30 days, day by day',
    ...json,
    response: UsageDaysResponse,
  },
})
