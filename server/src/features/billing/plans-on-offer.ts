import type { Plan, PlanFeatures } from '@loci/contract/billing'
import { findPlan, freePlanId, type PlanDefinition, planIdFor, plans } from '@loci/contract/plans'
import type { Config } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'

/** The plan that the billing screen recommends. */
const popularPlanId = 'pro'

/** Plans on offer, with their price ids at the gateway; a plan without one is not on offer. */
export function listOffers(config: Pick<Config, 'billing' | 'stripe'>): Plan[] {
  if (config.billing === 'off') return []
  const sold = plans.filter((plan) => plan.sold)
  return sold.flatMap((plan) =>
    plan.id === freePlanId
      ? [toOffer(plan, null, null)]
      : (['month', 'year'] as const).flatMap((interval) => {
          const priceId = priceIdOf(config, planIdFor(plan.id, interval))
          return priceId === undefined ? [] : [toOffer(plan, interval, priceId)]
        }),
  )
}

function toOffer(plan: PlanDefinition, interval: Plan['interval'], priceId: string | null): Plan {
  return {
    id: planIdFor(plan.id, interval ?? 'month'),
    name: plan.name,
    price: interval === 'year' ? plan.annualPrice : plan.monthlyPrice,
    interval,
    priceId,
    popular: plan.id === popularPlanId,
    features: { ...plan.limits, features: [...plan.features] },
  }
}

function priceIdOf({ stripe }: Pick<Config, 'stripe'>, planId: string): string | undefined {
  return stripe === undefined ? `price_sandbox_${planId}` : stripe.prices[planId]
}

/** The features of a plan; unknown ids get those of the free plan. */
export function featuresOf(planId: string): PlanFeatures {
  const plan = findPlan(planId) ?? plans[0]!
  return { ...plan.limits, features: [...plan.features] }
}

/** The paid plan for a price. Throws `price_not_found`. */
export function requirePrice(config: Pick<Config, 'billing' | 'stripe'>, priceId: string): Plan {
  const offer = listOffers(config).find((candidate) => candidate.priceId === priceId)
  if (offer === undefined) throw new AppError('price_not_found', 'There is no plan with this price')
  return offer
}

/** A plan on offer by its id. Throws `plan_not_found`, worded for the billing screen. */
export function requireOffer(config: Pick<Config, 'billing' | 'stripe'>, planId: string): Plan {
  const offer = listOffers(config).find((candidate) => candidate.id === planId)
  if (offer === undefined) throw new AppError('plan_not_found', 'Account or plan not found.')
  return offer
}
