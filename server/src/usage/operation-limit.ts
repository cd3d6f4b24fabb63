import type { Operation } from '@loci/contract/endpoint'
import { limitsOfPlan, plans, unlimited } from '@loci/contract/plans'
import type { Config } from '../config.ts'
import { AppError } from '../errors/app-error.ts'
import { monthOf, secondMs } from '../lib/time.ts'
import { wayOut } from './plan-in-force.ts'

/** Operations a month under any plan, so below it nobody needs to know the plan. */
export const lowestOperationsMax = Math.min(
  ...plans.map((plan) => plan.limits.maxQueries).filter((limit) => limit !== unlimited),
)

/**
 * Only what stores memory is: keys, account and billing stay open past the limit, and so do reading back and deleting,
 * since nobody is to be locked out of what they stored.
 */
export function isLimited({ requires, type }: Operation): boolean {
  return requires === 'memory:write' && type !== 'delete'
}

/** Operations a month under a plan; may be infinite. */
export function operationsMaxOf(plan: string): number {
  const { maxQueries } = limitsOfPlan(plan)
  return maxQueries === unlimited ? Number.POSITIVE_INFINITY : maxQueries
}

export function operationsLimitReached(config: Config, now: number, plan: string): AppError {
  const limit = operationsMaxOf(plan)
  const resetSeconds = Math.ceil((monthOf(now).end - now) / secondMs)
  return new AppError(
    'operations_limit_reached',
    `Your plan allows ${limit.toLocaleString('en-US')} operations a month. Reading goes on. ${wayOut(config, 'store more before the month ends')}`,
    {
      retryAfter: resetSeconds,
      rateLimit: { limit, remaining: 0, resetSeconds },
      details: [{ limit, used: limit, plan }],
    },
  )
}
