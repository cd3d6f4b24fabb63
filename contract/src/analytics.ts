import { z } from 'zod'
import { PlanLimits } from './plans.ts'
import { IsoDateTime } from './text.ts'

export const OperationType = z.enum(['query', 'create', 'update', 'delete'])
export type OperationType = z.infer<typeof OperationType>

/** How many operations of each kind. */
export const OperationCounts = z.object({
  queries: z.number().int(),
  creates: z.number().int(),
  updates: z.number().int(),
  deletes: z.number().int(),
  total: z.number().int(),
})
export type OperationCounts = z.infer<typeof OperationCounts>

const OperationDetail = z.object({
  operation_type: OperationType,
  resource_type: z.string(),
  /** Milliseconds. */
  avg_response_time: z.number(),
  request_count: z.number().int(),
})

/** This calendar month (UTC); details list the most requested first. */
export const MonthlySummary = z.object({
  totalRequests: z.number().int(),
  breakdown: z.record(z.string(), z.number().int()),
  details: z.array(OperationDetail),
})
export type MonthlySummary = z.infer<typeof MonthlySummary>

/** The last question that an agent asked, and those of the entities returned that still exist. */
const LastRecall = z.object({
  /** Absent if the caller cannot open it. */
  id: z.string().optional(),
  question: z.string(),
  /** The agent's own name; null if it gave none. */
  agent: z.string().nullable(),
  at: IsoDateTime,
  /** Number of observations returned. */
  observations: z.number().int(),
  entities: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
})
export type LastRecall = z.infer<typeof LastRecall>

/** A program that calls over MCP, by the name it gives itself. */
const Agent = z.object({
  name: z.string(),
  firstSeenAt: IsoDateTime,
  lastSeenAt: IsoDateTime,
  callsToday: z.number().int(),
})
export type Agent = z.infer<typeof Agent>

export const AnalyticsSummary = z.object({
  totalEntities: z.number().int(),
  totalRelations: z.number().int(),
  totalObservations: z.number().int(),
  recentEntities: z.array(
    z.object({ id: z.string(), name: z.string(), type: z.string(), created_at: IsoDateTime }),
  ),
  entityTypeStats: z.array(z.object({ type: z.string(), count: z.number().int() })),
  /** Entities created per day (UTC), newest day first, at most 7; days without any are left out. */
  activityStats: z.array(z.object({ date: z.string(), count: z.number().int() })),
  /** Created today (UTC). */
  createdToday: z.object({
    entities: z.number().int(),
    relations: z.number().int(),
    observations: z.number().int(),
  }),
  /** Null before the first recall. */
  lastRecall: LastRecall.nullable(),
  userPlan: z.string(),
  apiKeyCount: z.number().int(),
  webhookCount: z.number().int(),
  /** Operations since midnight (UTC). */
  todayApiCalls: z.number().int(),
  monthlyUsage: OperationCounts,
  billingData: MonthlySummary,
})
export type AnalyticsSummary = z.infer<typeof AnalyticsSummary>

/** Days that usage by day goes back, today included. */
export const usageDaysMax = 30

/** Operations of the account by day (UTC), the oldest first; days without any are zero. */
export const UsageDaysResponse = z.object({
  days: z.array(OperationCounts.extend({ day: z.string() })),
})
export type UsageDaysResponse = z.infer<typeof UsageDaysResponse>

export const UsageResponse = z.object({
  plan: z.string(),
  limits: PlanLimits,
  entities: z.number().int(),
  /** UTF-8 bytes currently stored. */
  storedBytes: z.number().int(),
  operations: z.number().int(),
  apiKeys: z.number().int(),
  webhooks: z.number().int(),
  periodStart: IsoDateTime,
  periodEnd: IsoDateTime,
  /** When an agent first called over MCP in the space of this call; null if none has. */
  agentSeenAt: IsoDateTime.nullable(),
  /** Programs that called over MCP, most recent first, at most 100. */
  agents: z.array(Agent),
})
export type UsageResponse = z.infer<typeof UsageResponse>
