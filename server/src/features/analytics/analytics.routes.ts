import type { Handlers } from '../../doors/http/routes.ts'
import {
  getMonthlySummary,
  getRealTimeStats,
  getSummary,
  getUsage,
  listUsageDays,
} from './analytics.service.ts'

export const analyticsRoutes = {
  analytics: ({ ctx, actor }) => getSummary(ctx, actor),
  realTimeStats: ({ ctx, actor }) => getRealTimeStats(ctx, actor),
  monthlySummary: ({ ctx, actor }) => getMonthlySummary(ctx, actor),
  usageDays: async ({ ctx, actor }) => ({ days: await listUsageDays(ctx, actor) }),
  usage: ({ ctx, actor }) => getUsage(ctx, actor),
} satisfies Partial<Handlers>
