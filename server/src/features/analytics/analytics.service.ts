import {
  type Agent,
  type AnalyticsSummary,
  type LastRecall,
  type MonthlySummary,
  type OperationCounts,
  type UsageDaysResponse,
  type UsageResponse,
  usageDaysMax,
} from '@loci/contract/analytics'
import { dayMs, dayOf, monthNameOf, monthOf, toIso } from '../../ground/lib/time.ts'
import {
  getAccountUse,
  getCounters,
  getDailyCount,
  listDailyCounts,
  listTypeCounts,
} from '../../rows/counters.repo.ts'
import { findEntitiesById, listEntityRows } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { reachOf } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { listAgents } from '../../tenancy/usage/agents.repo.ts'
import { limitsInForce, planInForce } from '../../tenancy/usage/plan-in-force.ts'
import { listLastRecalls } from '../../tenancy/usage/recalls.repo.ts'
import {
  findAgentSeen,
  getMonthCount,
  listOperationCounts,
  type OperationCount,
} from '../../tenancy/usage/usage.repo.ts'
import { countKeys } from '../keys/keys.service.ts'
import { countWebhooks } from '../webhooks/webhooks.service.ts'
import { sumByType, toMonthlySummary } from './analytics.rules.ts'

const recentEntitiesMax = 5
const activityDaysMax = 7

/** The dashboard's figures. Totals come from counters, never from a full scan. */
export async function getSummary(ctx: Context, actor: Actor): Promise<AnalyticsSummary> {
  const totals = await getCounters(ctx.db, actor)
  const recent = await listEntityRows(ctx.db, actor, { cursor: undefined, limit: recentEntitiesMax })
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
    createdToday: await getDailyCount(ctx.db, actor, today),
    lastRecall: await findLastRecall(ctx, actor),
    userPlan: planInForce(ctx.config, plan),
    apiKeyCount: await countKeys(ctx, actor),
    webhookCount: await countWebhooks(ctx, actor),
    todayApiCalls: sumByType(month.filter((count) => count.day === today)).total,
    monthlyUsage,
    billingData: toMonthlySummary(month),
  }
}

/** Today's operations, UTC. */
export async function getRealTimeStats(ctx: Context, actor: Actor): Promise<OperationCounts> {
  const today = dayOf(ctx.now())
  await ctx.usage.flush()
  return sumByType(await listOperationCounts(ctx.db, actor.accountId, today, today))
}

export async function getMonthlySummary(ctx: Context, actor: Actor): Promise<MonthlySummary> {
  return toMonthlySummary(await listMonth(ctx, actor))
}

/** This month's counts, including those that this process has not stored yet. */
async function listMonth(ctx: Context, actor: Actor): Promise<OperationCount[]> {
  const { start, end } = monthOf(ctx.now())
  await ctx.usage.flush()
  return listOperationCounts(ctx.db, actor.accountId, dayOf(start), dayOf(end - dayMs))
}

/** Operations of the last days, with those that this process has not stored yet. */
export async function listUsageDays(ctx: Context, actor: Actor): Promise<UsageDaysResponse['days']> {
  const now = ctx.now()
  const days = Array.from({ length: usageDaysMax }, (_, ago) => dayOf(now - ago * dayMs)).reverse()
  await ctx.usage.flush()
  const counts = await listOperationCounts(ctx.db, actor.accountId, days[0]!, days.at(-1)!)
  const byDay = Map.groupBy(counts, ({ day }) => day)
  return days.map((day) => ({ day, ...sumByType(byDay.get(day) ?? []) }))
}

/** Usage of the plan. */
export async function getUsage(ctx: Context, actor: Actor): Promise<UsageResponse> {
  const { plan, entities, bytes } = await getAccountUse(ctx.db, actor.accountId)
  const agentSeenAt = await findAgentSeen(ctx.db, actor)
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
    agents: await getAgents(ctx, actor),
  }
}

async function getAgents(ctx: Context, { accountId }: Actor): Promise<Agent[]> {
  const today = dayOf(ctx.now())
  const agents = await listAgents(ctx.db, accountId)
  return agents.map(({ name, firstSeenAt, lastSeenAt, day, dayCalls }) => ({
    name,
    firstSeenAt: toIso(firstSeenAt),
    lastSeenAt: toIso(lastSeenAt),
    callsToday: day === today ? dayCalls : 0,
  }))
}

async function findLastRecall(ctx: Context, actor: Actor): Promise<LastRecall | null> {
  const [recall] = await listLastRecalls(ctx.db, actor, 1)
  if (recall === undefined) return null
  const found = new Map(
    (await findEntitiesById(ctx.db, actor, recall.entities)).map((entity) => [entity.id, entity]),
  )
  const entities = recall.entities.flatMap((id) => found.get(id) ?? [])
  const isReadable = reachOf(actor, 'memory:review') === 'all' || recall.userId === actor.userId
  return {
    ...(isReadable && { id: recall.id }),
    question: recall.question,
    agent: recall.client,
    observations: recall.told.length,
    at: toIso(recall.at),
    entities: entities.map(({ id, name, type }) => ({ id, name, type })),
  }
}
