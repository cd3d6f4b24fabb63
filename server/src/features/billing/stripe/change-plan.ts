import { isAnnualPlanId } from '@loci/contract/plans'
import type Stripe from 'stripe'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { secondMs } from '../../../lib/time.ts'
import { isUpgrade } from '../billing.rules.ts'
import type { PlanChoice } from '../gateway.ts'
import { idOf, planOfPrice } from './read-stripe.ts'

const conflict = (message: string) => new AppError('billing_conflict', message)

/** What a choice means for a subscription: taken back, ended, begun at once, or begun when the period ends. */
export type KindOfChange = 'stay' | 'end' | 'upgrade' | 'later'

/** By the same rules as in the sandbox. Throws `billing_conflict` while a payment is overdue. */
export function kindOfChange(
  ctx: Context,
  subscription: Stripe.Subscription,
  { plan, priceId }: Pick<PlanChoice, 'plan' | 'priceId'>,
): KindOfChange {
  if (priceId === null) return 'end'
  const from = planOfPrice(ctx, requireItem(subscription).price.id)
  if (plan === from) return 'stay'
  if (subscription.status === 'past_due') {
    throw conflict('The last payment failed. Update the payment method before changing plans.')
  }
  return from === undefined || isUpgrade(from, plan) ? 'upgrade' : 'later'
}

export async function changePlan(
  ctx: Context,
  stripe: Stripe,
  subscription: Stripe.Subscription,
  choice: PlanChoice,
): Promise<void> {
  const kind = kindOfChange(ctx, subscription, choice)
  if (kind === 'end') return endLater(stripe, subscription)
  if (kind === 'stay') return keep(stripe, subscription)
  if (kind === 'upgrade') return upgrade(stripe, subscription, choice)
  return downgradeLater(stripe, subscription, choice)
}

/**
 * One call, so that a payment that is declined changes nothing at all. A schedule is released after it: Stripe does not
 * let how a subscription ends be changed while a schedule manages it, and a decline must leave the schedule.
 */
async function upgrade(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  { priceId, previewedAt }: PlanChoice,
): Promise<void> {
  const { id } = requireItem(subscription)
  const trialing = subscription.status === 'trialing'
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id, price: priceId ?? '' }],
    ...(subscription.schedule === null ? notEnding(subscription) : {}),
    ...(trialing
      ? { proration_behavior: 'none' }
      : { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' }),
    ...(trialing || previewedAt === undefined
      ? {}
      : { proration_date: prorationDate(subscription, previewedAt) }),
  })
  if (subscription.schedule !== null) await releaseSchedule(stripe, subscription)
}

/** Stripe refuses a moment outside the period. */
export function prorationDate(subscription: Stripe.Subscription, at: number): number {
  return Math.max(Math.floor(at / secondMs), requireItem(subscription).current_period_start)
}

/** Parameters that take back the end of a subscription, which may also have been set in Stripe's dashboard. */
function notEnding(subscription: Stripe.Subscription): Stripe.SubscriptionUpdateParams {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false }
  return subscription.cancel_at === null ? {} : { cancel_at: '' }
}

/** Parameters that set the end back as it was. */
function endingAsBefore({ cancel_at_period_end, cancel_at }: Stripe.Subscription) {
  return cancel_at_period_end ? { cancel_at_period_end } : { cancel_at: cancel_at ?? '' }
}

export const isEnding = ({ cancel_at_period_end, cancel_at }: Stripe.Subscription) =>
  cancel_at_period_end || cancel_at !== null

/** The subscription ends with its period. */
export async function endLater(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  await releaseSchedule(stripe, subscription)
  if (!subscription.cancel_at_period_end) {
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  }
}

/** Takes back whatever was planned for the end of the period. */
export async function keep(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  await releaseSchedule(stripe, subscription)
  if (isEnding(subscription)) await stripe.subscriptions.update(subscription.id, notEnding(subscription))
}

async function releaseSchedule(stripe: Stripe, { schedule }: Stripe.Subscription): Promise<void> {
  const id = idOf(schedule)
  if (id !== undefined) await stripe.subscriptionSchedules.release(id)
}

/**
 * A schedule of two phases: what is paid for, then the smaller plan. It also decides how the subscription ends, so a
 * planned end is taken back first, and set again if the schedule cannot be made.
 */
async function downgradeLater(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  choice: PlanChoice,
): Promise<void> {
  const known = idOf(subscription.schedule)
  if (known !== undefined) {
    await planPhases(stripe, subscription, await stripe.subscriptionSchedules.retrieve(known), choice)
    return
  }
  if (isEnding(subscription)) await stripe.subscriptions.update(subscription.id, notEnding(subscription))
  let made: Stripe.SubscriptionSchedule | undefined
  try {
    made = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
    await planPhases(stripe, subscription, made, choice)
  } catch (error) {
    if (made !== undefined) await stripe.subscriptionSchedules.release(made.id)
    if (isEnding(subscription))
      await stripe.subscriptions.update(subscription.id, endingAsBefore(subscription))
    throw error
  }
}

async function planPhases(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  schedule: Stripe.SubscriptionSchedule,
  { plan, priceId }: PlanChoice,
): Promise<void> {
  const item = requireItem(subscription)
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      {
        items: [{ price: item.price.id, quantity: 1 }],
        start_date:
          schedule.current_phase?.start_date ?? schedule.phases[0]?.start_date ?? item.current_period_start,
        end_date: item.current_period_end,
        ...(subscription.status === 'trialing' ? { trial: true } : {}),
      },
      {
        items: [{ price: priceId ?? '', quantity: 1 }],
        duration: { interval: isAnnualPlanId(plan) ? 'year' : 'month', interval_count: 1 },
        proration_behavior: 'none',
      },
    ],
  })
}

/** Loci sells one thing at a time. Throws `billing_conflict`. */
export function requireItem(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (item === undefined) throw conflict('The subscription is empty.')
  return item
}
