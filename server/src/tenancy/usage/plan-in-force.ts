import type { Operation } from '@loci/contract/endpoint'
import { limitsOfPlan, type PlanLimits, plans, selfHostedPlanId, unlimited } from '@loci/contract/plans'
import { type Config, publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { monthOf, secondMs } from '../../ground/lib/time.ts'

/** The effective plan: without billing, nobody has limits. */
export function planInForce({ billing }: Pick<Config, 'billing'>, plan: string): string {
  return billing === 'off' ? selfHostedPlanId : plan
}

/** What an account on this plan can store and do. */
export function limitsInForce(config: Pick<Config, 'billing'>, plan: string): PlanLimits {
  return limitsOfPlan(planInForce(config, plan))
}

/** A sentence for a person at a limit; `purpose` is what they wanted, such as `store more`. */
export function wayOut(config: Config, purpose: string): string {
  const upgrade = `Upgrade at ${publicAddress(config)}/billing to ${purpose}`
  return config.billing === 'stripe'
    ? `${upgrade}.`
    : `${upgrade}, or lift the limit with "loci account set-plan" on the server.`
}

/** The lowest monthly limit of any plan: below it, the plan does not matter. */
export const lowestOperationsMax = Math.min(
  ...plans.map((plan) => plan.limits.maxQueries).filter((limit) => limit !== unlimited),
)

/**
 * Only operations that store memory are limited. Keys, account and billing stay available past the limit, and so do
 * reading and deleting, so that nobody is locked out of their data.
 */
export function isLimited({ requires, type }: Operation): boolean {
  return requires === 'memory:write' && type !== 'delete'
}

/** Monthly operations of a plan; may be infinite. */
export function operationsMaxOf(plan: string): number {
  const { maxQueries } = limitsOfPlan(plan)
  return maxQueries === unlimited ? Number.POSITIVE_INFINITY : maxQueries
}

export function operationsLimitReached(config: Config, now: number, plan: string): AppError {
  const limit = operationsMaxOf(plan)
  const resetSeconds = Math.ceil((monthOf(now).end - now) / secondMs)
  return new AppError(
    'operations_limit_reached',
    `Your plan allows ${limit.toLocaleString('en-US')} operations a month. Reading still works. ${wayOut(config, 'store more before the month ends')}`,
    {
      retryAfter: resetSeconds,
      rateLimit: { limit, remaining: 0, resetSeconds },
      details: [{ limit, used: limit, plan }],
    },
  )
}
