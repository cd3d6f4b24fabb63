import { trialDays } from '@loci/contract/billing'
import { isAnnualPlanId } from '@loci/contract/plans'
import type Stripe from 'stripe'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../errors/app-error.ts'
import { isUpgrade } from '../billing.rules.ts'
import type { BillingGateway, Checkout } from '../gateway.ts'
import {
  countSyncs,
  findOwnerEmail,
  getPublicId,
  getSubscription,
  keepCustomer,
} from '../subscriptions.repo.ts'
import { payWith } from './pay-with.ts'
import { callStripe, isMissingAtStripe } from './stripe-client.ts'
import { syncAccount } from './sync.ts'

const conflict = (message: string) => new AppError('billing_conflict', message)

/** Billing at Stripe. Each call asks Stripe first and then reads back what became of it. */
export const stripeGateway: BillingGateway = {
  name: 'stripe',
  // Stripe has a clock of its own; what it does is told by the webhook.
  settle: async () => {},
  createSetupIntent,
  createCheckout,
  changePlan: (ctx, accountId, plan, priceId) =>
    onSubscription(ctx, accountId, (stripe, subscription) =>
      changePlan(ctx, accountId, { stripe, subscription, plan, priceId }),
    ),
  cancel: (ctx, accountId, immediate) =>
    onSubscription(ctx, accountId, (stripe, subscription) =>
      immediate ? stripe.subscriptions.cancel(subscription.id) : setCancel(stripe, subscription, true),
    ),
  reactivate: (ctx, accountId) =>
    onSubscription(ctx, accountId, (stripe, subscription) => {
      if (!subscription.cancel_at_period_end && subscription.schedule === null) {
        throw conflict('The subscription is not set to end.')
      }
      return setCancel(stripe, subscription, false)
    }),
  setDefaultCard,
  async removeCard(ctx, accountId, cardId) {
    const customerId = await requireCustomer(ctx, accountId)
    await callStripe(ctx, (stripe) => stripe.paymentMethods.detach(cardId))
    await syncAccount(ctx, accountId, customerId)
  },
  close,
}

/**
 * The account's customer at Stripe, made when there is none. The key lets calls at once make the same one; it changes
 * when a customer was deleted.
 */
async function requireCustomer(ctx: Context, accountId: number): Promise<string> {
  const { customerId } = await getSubscription(ctx.db, accountId)
  if (customerId !== null) return customerId
  const email = await findOwnerEmail(ctx.db, accountId)
  const publicId = await getPublicId(ctx.db, accountId)
  const turn = await countSyncs(ctx.db, accountId)
  const customer = await callStripe(ctx, (stripe) =>
    stripe.customers.create(
      { metadata: { accountId: publicId }, ...(email === undefined ? {} : { email }) },
      { idempotencyKey: `customer-${publicId}-${turn}` },
    ),
  )
  return transact(ctx, ({ db }) => keepCustomer(db, accountId, customer.id))
}

async function createSetupIntent(ctx: Context, accountId: number): Promise<string> {
  const customer = await requireCustomer(ctx, accountId)
  const intent = await callStripe(ctx, (stripe) =>
    stripe.setupIntents.create({ customer, usage: 'off_session', allowed_payment_method_types: ['card'] }),
  )
  return intent.client_secret ?? ''
}

async function createCheckout(ctx: Context, accountId: number, checkout: Checkout): Promise<string> {
  const customer = await requireUpToDateCustomer(ctx, accountId)
  const publicId = await getPublicId(ctx.db, accountId)
  const { subscriptionId, trialEnd } = await getSubscription(ctx.db, accountId)
  if (subscriptionId !== null) throw conflict('There is a paid plan already. Change it instead.')
  const trial =
    trialEnd === null
      ? {
          trial_period_days: trialDays,
          trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
        }
      : {}
  const session = await callStripe(ctx, async (stripe) => {
    await expireCheckouts(stripe, customer)
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: publicId,
      line_items: [{ price: checkout.priceId, quantity: 1 }],
      success_url: checkout.successUrl,
      cancel_url: checkout.cancelUrl,
      payment_method_collection: trialEnd === null ? 'if_required' : 'always',
      subscription_data: { metadata: { accountId: publicId }, ...trial },
    })
  })
  return session.url ?? ''
}

/** The event of a checkout that has just been paid may still be under way. */
async function requireUpToDateCustomer(ctx: Context, accountId: number): Promise<string> {
  const { customerId } = await getSubscription(ctx.db, accountId)
  if (customerId !== null) await syncAccount(ctx, accountId, customerId)
  return requireCustomer(ctx, accountId)
}

/** Of several pages left open only the newest may be paid, else there would be two subscriptions. */
async function expireCheckouts(stripe: Stripe, customer: string): Promise<void> {
  const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 10 })
  for (const session of open.data) await stripe.checkout.sessions.expire(session.id)
}

/** Works on the subscription as Stripe has it, then reads back. Throws `billing_conflict` when there is none. */
async function onSubscription(
  ctx: Context,
  accountId: number,
  work: (stripe: Stripe, subscription: Stripe.Subscription) => Promise<unknown>,
): Promise<void> {
  const { subscriptionId, customerId } = await getSubscription(ctx.db, accountId)
  if (subscriptionId === null || customerId === null) {
    throw conflict('There is no paid plan. Choose one through checkout.')
  }
  await callStripe(ctx, async (stripe) => work(stripe, await stripe.subscriptions.retrieve(subscriptionId)))
  await syncAccount(ctx, accountId, customerId)
}

type Change = {
  stripe: Stripe
  subscription: Stripe.Subscription
  plan: string
  priceId: string | null
}

async function changePlan(ctx: Context, accountId: number, change: Change): Promise<unknown> {
  const { stripe, subscription, plan, priceId } = change
  if (priceId === null) return setCancel(stripe, subscription, true)
  const { plan: from, status } = await getSubscription(ctx.db, accountId)
  if (plan === from) return setCancel(stripe, subscription, false)
  if (status === 'past_due') {
    throw conflict('The last payment failed. Update the payment method before changing plans.')
  }
  const current = await setCancel(stripe, subscription, false)
  return isUpgrade(from, plan)
    ? stripe.subscriptions.update(current.id, {
        items: [{ id: current.items.data[0]?.id ?? '', price: priceId }],
        proration_behavior: 'create_prorations',
        payment_behavior: 'error_if_incomplete',
      })
    : downgradeLater(stripe, current, plan, priceId)
}

/** A schedule of two phases: what is paid for, then the smaller plan. */
async function downgradeLater(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  plan: string,
  price: string,
): Promise<void> {
  const item = subscription.items.data[0]
  if (item === undefined) throw conflict('The subscription is empty.')
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      {
        items: [{ price: item.price.id, quantity: 1 }],
        start_date: schedule.phases[0]?.start_date ?? item.current_period_start,
        end_date: item.current_period_end,
        ...(subscription.status === 'trialing' ? { trial: true } : {}),
      },
      {
        items: [{ price, quantity: 1 }],
        duration: { interval: isAnnualPlanId(plan) ? 'year' : 'month', interval_count: 1 },
        proration_behavior: 'none',
      },
    ],
  })
}

/** Takes back what was planned for the period's end, then plans the end or nothing. */
async function setCancel(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  cancel: boolean,
): Promise<Stripe.Subscription> {
  const { schedule } = subscription
  if (schedule !== null) {
    await stripe.subscriptionSchedules.release(typeof schedule === 'string' ? schedule : schedule.id)
  }
  if (subscription.cancel_at_period_end === cancel) return subscription
  return stripe.subscriptions.update(subscription.id, { cancel_at_period_end: cancel })
}

async function setDefaultCard(ctx: Context, accountId: number, cardId: string): Promise<void> {
  const customerId = await requireCustomer(ctx, accountId)
  await payWith(ctx, customerId, await getSubscription(ctx.db, accountId), cardId)
  await syncAccount(ctx, accountId, customerId)
}

/** Deleting the customer ends the subscription and forgets the cards. */
async function close(ctx: Context, accountId: number): Promise<void> {
  const { customerId } = await getSubscription(ctx.db, accountId)
  if (customerId === null) return
  try {
    await callStripe(ctx, (stripe) => stripe.customers.del(customerId))
  } catch (error) {
    if (!isMissingAtStripe(error)) throw error
  }
}
