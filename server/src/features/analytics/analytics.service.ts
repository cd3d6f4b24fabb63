import type {
  AnalyticsSummary,
  MonthlySummary,
  OperationCounts,
  UsageResponse,
} from '@loci/contract/analytics'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { getAccountUse, getCounters, listDailyCounts, listTypeCounts } from '../../graph/counters.repo.ts'
import { listEntities } from '../../graph/entities.repo.ts'
import { dayMs, dayOf, monthNameOf, monthOf, toIso } from '../../lib/time.ts'
import { limitsInForce, planInForce } from '../../usage/plan-in-force.ts'
import { getMonthCount, listOperationCounts, type OperationCount } from '../../usage/usage.repo.ts'
import { countKeys } from '../keys/keys.service.ts'
import { countWebhooks } from '../webhooks/webhooks.service.ts'
import { sumByType, toMonthlySummary } from './analytics.rules.ts'

const recentEntitiesMax = 5
const activityDaysMax = 7

/** What the dashboard shows. Totals come from counters; nothing is counted by looking at everything. */
export async function getSummary(ctx: Context, actor: Actor): Promise<AnalyticsSummary> {
  const totals = await getCounters(ctx.db, actor)
  const recent = await listEntities(ctx.db, actor, { cursor: undefined, limit: recentEntitiesMax })
  const types = await listTypeCounts(ctx.db, actor, 'entity')
  const { plan } = await getAccountUse(ctx.db, actor.accountId)
  const month = await listMonth(ctx, actor)
  const today = dayOf(ctx.now())
  const monthlyUsage = sumByType(month)
  return {
    totalEntities: totals.entities,
    totalRelations: totals.relations,
    totalObservations: totals.observations,
    recentEntities: recent.map(({ id, name, type, createdAt }) => ({
      id,
      name,
      type,
      created_at: createdAt,
    })),
    entityTypeStats: types.map(({ type, count }) => ({ type, count })),
    activityStats: await listDailyCounts(ctx.db, actor, activityDaysMax),
    userPlan: planInForce(ctx.config, plan),
    apiKeyCount: await countKeys(ctx, actor),
    webhookCount: await countWebhooks(ctx, actor),
    todayApiCalls: sumByType(month.filter((count) => count.day === today)).total,
    monthlyUsage,
    billingData: toMonthlySummary(month),
  }
}

/** Operations of today, UTC. */
export async function getRealTimeStats(ctx: Context, actor: Actor): Promise<OperationCounts> {
  const today = dayOf(ctx.now())
  await ctx.usage.flush()
  return sumByType(await listOperationCounts(ctx.db, actor.accountId, today, today))
}

export async function getMonthlySummary(ctx: Context, actor: Actor): Promise<MonthlySummary> {
  return toMonthlySummary(await listMonth(ctx, actor))
}

/** Counts of this month, with what this process has not stored yet. */
async function listMonth(ctx: Context, actor: Actor): Promise<OperationCount[]> {
  const { start, end } = monthOf(ctx.now())
  await ctx.usage.flush()
  return listOperationCounts(ctx.db, actor.accountId, dayOf(start), dayOf(end - dayMs))
}

/** What is used of the plan. */
export async function getUsage(ctx: Context, actor: Actor): Promise<UsageResponse> {
  const { plan, entities, bytes, agentSeenAt } = await getAccountUse(ctx.db, actor.accountId)
  const { start, end } = monthOf(ctx.now())
  await ctx.usage.flush()
  return {
    plan: planInForce(ctx.config, plan),
    limits: limitsInForce(ctx.config, plan),
    entities,
    storedBytes: bytes,
    operations: await getMonthCount(ctx.db, actor.accountId, monthNameOf(start)),
    apiKeys: await countKeys(ctx, actor),
    webhooks: await countWebhooks(ctx, actor),
    periodStart: toIso(start),
    periodEnd: toIso(end),
    agentSeenAt: agentSeenAt === null ? null : toIso(agentSeenAt),
  }
}
