import type { PaymentMethod, Plan, Subscription } from '@loci/contract/billing'
import { type PlanDefinition, planIdFor, plans } from '@loci/contract/plans'

/** Seconds since 1970 of a moment. */
export const seconds = (iso: string) => Date.parse(iso) / 1_000

const features = {
  maxEntities: 100_000,
  maxBytes: 20_000_000_000,
  maxQueries: 1_000_000,
  maxApiKeys: 10,
  maxWebhooks: -1,
  features: ['Priority support'],
}

/** Pro, paid by the month, until 1 February 2027. */
export const subscriptionWith = (more: Partial<Subscription> = {}): Subscription => ({
  plan: 'pro',
  status: 'active',
  cancelAtPeriodEnd: false,
  currentPeriodEnd: seconds('2027-02-01T00:00:00Z'),
  trialEnd: null,
  pendingPlan: null,
  pendingUpgrade: null,
  pastDue: null,
  ended: null,
  notices: [],
  features,
  testMode: true,
  ...more,
})

export const onFree = subscriptionWith({ plan: 'free', currentPeriodEnd: null })

export const cardEnding = (last4: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  id: `card_${last4}`,
  brand: 'visa',
  last4,
  expMonth: 4,
  expYear: 2031,
  isDefault: false,
  ...more,
})

/** All plans on sale, by the month and by the year. */
export const plansOnSale: Plan[] = plans.filter(({ sold }) => sold).flatMap(pricesOf)

function pricesOf({
  id,
  name,
  monthlyPrice,
  annualPrice,
  limits,
  features: advertised,
}: PlanDefinition): Plan[] {
  const common = { name, popular: id === 'pro', features: { ...limits, features: [...advertised] } }
  if (monthlyPrice === 0) return [{ ...common, id, price: 0, interval: null, priceId: null }]
  const annual = planIdFor(id, 'year')
  return [
    { ...common, id, price: monthlyPrice, interval: 'month', priceId: `price_${id}` },
    { ...common, id: annual, price: annualPrice, interval: 'year', priceId: `price_${annual}` },
  ]
}
