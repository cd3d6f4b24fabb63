import { ApiError } from '@loci/client/call'
import { ownerOnlyMessage, type PaymentMethod, type Plan, type Subscription } from '@loci/contract/billing'
import { basePlanId, findPlan, freePlanId, isAnnualPlanId, planIdFor } from '@loci/contract/plans'
import { formatDollars } from '../../lib/format.ts'

/** `Pro`, whether billed monthly or yearly. */
export function nameOfPlan(planId: string): string {
  return findPlan(planId)?.name ?? 'Free'
}

/** `$20 a month`; whole amounts have no cents. */
export function priceOfPlan(planId: string): string {
  const plan = findPlan(planId)
  if (plan === undefined || plan.monthlyPrice === 0) return 'No charge'
  const annual = isAnnualPlanId(planId)
  return `${shortDollars(annual ? plan.annualPrice : plan.monthlyPrice)} a ${annual ? 'year' : 'month'}`
}

export function shortDollars(cents: number): string {
  return formatDollars(cents).replace(/\.00$/, '')
}

export type BillingInterval = 'monthly' | 'annual'

export function intervalOf(planId: string): BillingInterval {
  return isAnnualPlanId(planId) ? 'annual' : 'monthly'
}

/** The plans of a tab: the yearly ones, or the monthly ones including the free plan. */
export function plansOn(interval: BillingInterval, plans: readonly Plan[]): Plan[] {
  return plans.filter((plan) => (interval === 'annual') === (plan.interval === 'year'))
}

/** The same plan on the other tab, if it exists. */
export function counterpartOf(planId: string, interval: BillingInterval, plans: readonly Plan[]) {
  const id = planIdFor(basePlanId(planId), interval === 'annual' ? 'year' : 'month')
  return plansOn(interval, plans).find((plan) => plan.id === id)
}

/** True if the plan changes or ends with the period. */
export function isSetToChange({ cancelAtPeriodEnd, pendingPlan }: Subscription): boolean {
  return cancelAtPeriodEnd || pendingPlan !== null
}

export type PlanNoticeKind = { kind: 'past_due' | 'trial' | 'ended'; title: string }

/** What to tell the owner about a subscription, if anything. */
export function noticeOf(subscription: Subscription): PlanNoticeKind | undefined {
  const { status, pastDue, ended, cancelAtPeriodEnd } = subscription
  if (pastDue !== null) return { kind: 'past_due', title: 'Payment failed' }
  if (ended !== null) return { kind: 'ended', title: 'You are on Free now' }
  if (status === 'trialing' && !cancelAtPeriodEnd) return { kind: 'trial', title: 'Free trial' }
  return undefined
}

const endIsRecentMs = 14 * 86_400_000

/** Whether a plan ended recently enough to mention it. */
export function isRecentEnd(at: number, now: number): boolean {
  return now - at * 1_000 < endIsRecentMs
}

/** The plan that the visitor chose before signing up, if it is on sale. */
export function findChosenPlan(plan: string | undefined, billing: string | undefined): string | undefined {
  const found = plan === undefined ? undefined : findPlan(plan)
  if (found === undefined || !found.sold || found.id === freePlanId) return undefined
  const isAnnual = billing === 'annual' || (plan !== undefined && isAnnualPlanId(plan))
  return planIdFor(found.id, isAnnual ? 'year' : 'month')
}

/** True for a card whose removal would leave a running plan without a means of payment. */
export function isNeeded(
  card: PaymentMethod,
  cards: readonly PaymentMethod[] = [],
  subscription: Subscription | undefined,
): boolean {
  if (subscription === undefined || subscription.cancelAtPeriodEnd) return false
  return subscription.currentPeriodEnd !== null && cards.every(({ id }) => id === card.id)
}

/** Why a plan could not be changed, in words that can be shown to users. */
export function planChangeProblem(error: unknown): string {
  if (!(error instanceof ApiError)) {
    return error instanceof Error && error.message !== '' ? error.message : 'Failed to change plan'
  }
  if (error.code !== 'internal') return error.message
  if (error.status === 403) return ownerOnlyMessage
  if (error.status === 404) return 'Account or plan not found.'
  return error.status >= 500 ? 'Server error. Please try again later.' : 'Failed to change plan'
}
