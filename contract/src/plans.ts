import { z } from 'zod'

/** What a plan allows; -1 is unlimited. */
export const PlanLimits = z.object({
  maxEntities: z.number().int(),
  /** UTF-8 bytes currently stored, names and metadata included. */
  maxBytes: z.number().int(),
  /** Operations in a calendar month, UTC. */
  maxQueries: z.number().int(),
  maxApiKeys: z.number().int(),
  maxWebhooks: z.number().int(),
})
export type PlanLimits = z.infer<typeof PlanLimits>

export type PlanDefinition = {
  id: string
  name: string
  /** US cents per month and per year. */
  monthlyPrice: number
  annualPrice: number
  /** False: kept for accounts that have it, no longer offered. */
  sold: boolean
  limits: PlanLimits
  features: readonly string[]
}

export const unlimited = -1
export const freePlanId = 'free'
/** For memory on a person's own machine: no limits, assigned and never sold. */
export const selfHostedPlanId = 'self-hosted'
const annualSuffix = '-annual'

/** Bytes. */
const megabyte = 1_000_000
const gigabyte = 1_000 * megabyte

const limits = (
  maxEntities: number,
  maxBytes: number,
  maxQueries: number,
  maxApiKeys: number,
  maxWebhooks: number,
): PlanLimits => ({
  maxEntities,
  maxBytes,
  maxQueries,
  maxApiKeys,
  maxWebhooks,
})

/**
 * The single plan catalogue: the pricing page, billing screen, dashboard and enforcement read it.
 * Prices in US cents.
 */
export const plans: readonly PlanDefinition[] = [
  {
    id: freePlanId,
    name: 'Free',
    monthlyPrice: 0,
    annualPrice: 0,
    sold: true,
    limits: limits(1_000, 100 * megabyte, 15_000, 1, 0),
    features: [
      '1,000 entities',
      '15K operations per month',
      '1 API key',
      'Basic WebSocket',
      'Community support',
    ],
  },
  {
    id: 'starter',
    name: 'Starter',
    monthlyPrice: 1_000,
    annualPrice: 10_000,
    sold: true,
    limits: limits(10_000, 2 * gigabyte, 100_000, 3, 5),
    features: [
      '10,000 entities',
      '100K operations per month',
      '3 API keys',
      '5 webhook endpoints',
      'Real-time sync',
      'Email support',
      'Single user',
    ],
  },
  {
    id: 'pro',
    name: 'Pro',
    monthlyPrice: 2_000,
    annualPrice: 20_000,
    sold: true,
    limits: limits(100_000, 20 * gigabyte, 1_000_000, 10, 20),
    features: [
      '100,000 entities',
      '1M operations per month',
      '10 API keys',
      '20 webhook endpoints',
      'Advanced sync',
      'Priority support',
      'Custom integrations',
      'SLA',
    ],
  },
  {
    id: 'power-user',
    name: 'Power User',
    monthlyPrice: 6_000,
    annualPrice: 60_000,
    sold: true,
    limits: limits(1_000_000, 200 * gigabyte, 10_000_000, 50, unlimited),
    features: [
      '1M entities',
      '10M operations per month',
      '50 API keys',
      'Unlimited webhook endpoints',
      'Advanced sync',
      'Priority support',
      'Custom integrations',
      'SLA',
    ],
  },
  {
    id: 'team',
    name: 'Team Pro',
    monthlyPrice: 6_000,
    annualPrice: 60_000,
    sold: false,
    limits: limits(100_000, 20 * gigabyte, 5_000_000, 50, 20),
    features: [
      '100,000 entities',
      '5M operations per month',
      '50 API keys',
      '20 webhook endpoints',
      'Priority support',
    ],
  },
  {
    id: selfHostedPlanId,
    name: 'Self-hosted',
    monthlyPrice: 0,
    annualPrice: 0,
    sold: false,
    limits: limits(unlimited, unlimited, unlimited, unlimited, unlimited),
    features: ['Unlimited entities', 'Unlimited operations', 'Unlimited API keys'],
  },
]

const planById = new Map(plans.map((plan) => [plan.id, plan]))

/** `pro-annual` -> `pro`. */
export function basePlanId(planId: string): string {
  return planId.endsWith(annualSuffix) ? planId.slice(0, -annualSuffix.length) : planId
}

/** True for the ids of yearly plans, which end in `-annual`. */
export function isAnnualPlanId(planId: string): boolean {
  return planId.endsWith(annualSuffix)
}

/** `('pro', 'year')` -> `pro-annual`. */
export function planIdFor(base: string, interval: 'month' | 'year'): string {
  return interval === 'year' && base !== freePlanId ? `${base}${annualSuffix}` : base
}

/** The plan of an id, monthly or yearly; undefined if unknown. */
export function findPlan(planId: string): PlanDefinition | undefined {
  return planById.get(basePlanId(planId))
}

/** Limits of a plan id; unknown ids get the free plan's. */
export function limitsOfPlan(planId: string): PlanLimits {
  return (findPlan(planId) ?? plans[0]!).limits
}

/** True if `used` can grow by `added` within `limit`. */
export function fitsLimit(limit: number, used: number, added = 1): boolean {
  return limit === unlimited || used + added <= limit
}
