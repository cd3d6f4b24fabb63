import { isAnnualPlanId } from '@loci/contract/plans'
import type Stripe from 'stripe'
import { AppError } from '../../../ground/errors/app-error.ts'
import { secondMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { isUpgrade } from '../billing.rules.ts'
import type { PlanChoice } from '../gateway.ts'
import { idOf } from './object-ids.ts'
import { disputedComment } from './read-standing.ts'
import { planOfPrice } from './read-stripe.ts'
import { wantsConfirmation } from './stripe-client.ts'

const conflict = (message: string) => new AppError('billing_conflict', message)

/**
 * What a choice means for a subscription: undo planned changes, end it, upgrade immediately, or change when the period
 * ends.
 */
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

export async function changeStripePlan(
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
 * One call, so that a declined payment changes nothing at all. The schedule is released afterwards: Stripe does not
 * allow changes to a subscription's end while a schedule manages it, and a decline must leave the schedule in place. If
 * the bank wants the payment confirmed, the upgrade waits for that.
 */
async function upgrade(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  { priceId, previewedAt }: PlanChoice,
): Promise<void> {
  const { id } = requireItem(subscription)
  const items = [{ id, price: priceId ?? '' }]
  const end = subscription.schedule === null ? notEnding(subscription) : {}
  if (subscription.status === 'trialing') {
    await stripe.subscriptions.update(subscription.id, { items, ...end, proration_behavior: 'none' })
  } else {
    const charged = {
      ...{ items, proration_behavior: 'always_invoice' },
      ...(previewedAt === undefined ? {} : { proration_date: prorationDate(subscription, previewedAt) }),
    }
    try {
      const behaviour = { payment_behavior: 'error_if_incomplete' }
      await stripe.subscriptions.update(subscription.id, { ...charged, ...end, ...behaviour })
    } catch (error) {
      if (!wantsConfirmation(error)) throw error
      // Refuses the parameters of a planned end: the sync that finds the upgrade paid undoes that.
      const behaviour = { payment_behavior: 'pending_if_incomplete' }
      const updated = await stripe.subscriptions.update(subscription.id, { ...charged, ...behaviour })
      if (updated.pending_update === null) await keep(stripe, subscription)
      return
    }
  }
  if (subscription.schedule !== null) await releaseSchedule(stripe, subscription)
}

/** Drops an upgrade that waits for the bank's confirmation: voiding its invoice makes Stripe discard it. */
export async function dropUpgrade(
  stripe: Stripe,
  { pending_update, latest_invoice }: Stripe.Subscription,
): Promise<void> {
  if (pending_update !== null) await stripe.invoices.voidInvoice(idOf(latest_invoice) ?? '')
}

/** Stripe refuses a proration date outside the period. */
export function prorationDate(subscription: Stripe.Subscription, at: number): number {
  return Math.max(Math.floor(at / secondMs), requireItem(subscription).current_period_start)
}

/** Parameters that undo a planned end, which can also have been set in Stripe's dashboard. */
function notEnding(subscription: Stripe.Subscription): Stripe.SubscriptionUpdateParams {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false }
  return subscription.cancel_at === null ? {} : { cancel_at: '' }
}

/** Parameters that restore the planned end. */
function endingAsBefore({ cancel_at_period_end, cancel_at }: Stripe.Subscription) {
  return cancel_at_period_end ? { cancel_at_period_end } : { cancel_at: cancel_at ?? '' }
}

export const isEnding = ({ cancel_at_period_end, cancel_at }: Stripe.Subscription) =>
  cancel_at_period_end || cancel_at !== null

/** Ends the subscription with its period. */
export async function endLater(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  await releaseSchedule(stripe, subscription)
  if (!subscription.cancel_at_period_end) {
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  }
}

/** Undoes whatever was planned for the end of the period. */
export async function keep(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  await releaseSchedule(stripe, subscription)
  if (isEnding(subscription)) await stripe.subscriptions.update(subscription.id, notEnding(subscription))
}

async function releaseSchedule(stripe: Stripe, { schedule }: Stripe.Subscription): Promise<void> {
  const id = idOf(schedule)
  if (id !== undefined) await stripe.subscriptionSchedules.release(id)
}

/**
 * Creates a schedule of two phases: the paid period, then the smaller plan. The schedule also determines how the
 * subscription ends, so a planned end is undone first, and restored if the schedule cannot be created.
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
  // A phase replaces the discounts of the subscription.
  const discounts = discountsOf(subscription)
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      {
        ...discounts,
        items: [{ price: item.price.id, quantity: 1 }],
        start_date:
          schedule.current_phase?.start_date ?? schedule.phases[0]?.start_date ?? item.current_period_start,
        end_date: item.current_period_end,
        ...(subscription.status === 'trialing' ? { trial: true } : {}),
      },
      {
        ...discounts,
        items: [{ price: priceId ?? '', quantity: 1 }],
        duration: { interval: isAnnualPlanId(plan) ? 'year' : 'month', interval_count: 1 },
        proration_behavior: 'none',
      },
    ],
  })
}

/** Parameters that carry a subscription's promotion codes over. */
export function discountsOf({ discounts }: Stripe.Subscription): { discounts?: { discount: string }[] } {
  const ids = discounts.flatMap((discount) => idOf(discount) ?? [])
  return ids.length === 0 ? {} : { discounts: ids.map((discount) => ({ discount })) }
}

/** Loci sells one item per subscription. Throws `billing_conflict`. */
export function requireItem(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (item === undefined) throw conflict('The subscription is empty.')
  return item
}

/** Ends a subscription at once whose payment is disputed. Nothing more is charged. */
export async function endDisputed(stripe: Stripe, subscriptionId: string): Promise<void> {
  await stripe.subscriptions.cancel(subscriptionId, {
    invoice_now: false,
    prorate: false,
    cancellation_details: { comment: disputedComment },
  })
}
