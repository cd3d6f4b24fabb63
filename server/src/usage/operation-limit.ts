import { limitsOfPlan, plans, unlimited } from '@loci/contract/plans'
import type { Config } from '../config.ts'
import { AppError } from '../errors/app-error.ts'
import { monthOf, secondMs } from '../lib/time.ts'
import type { Operation } from './meter.ts'
import { wayOut } from './plan-in-force.ts'

/** What agents and people store. Keys, account and billing stay open past the limit. */
const memoryResources: readonly string[] = ['entity', 'observation', 'relation', 'graph']

/** Operations a month under any plan, so below it nobody needs to know the plan. */
export const lowestOperationsMax = Math.min(
  ...plans.map((plan) => plan.limits.maxQueries).filter((limit) => limit !== unlimited),
)

/** Reading back and deleting are never refused: nobody is locked out of what they stored. */
export function isLimited({ type, resource }: Operation): boolean {
  return (type === 'create' || type === 'update') && memoryResources.includes(resource)
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
