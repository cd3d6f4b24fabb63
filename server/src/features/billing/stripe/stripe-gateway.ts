import { trialDays } from '@loci/contract/billing'
import { freePlanId } from '@loci/contract/plans'
import type Stripe from 'stripe'
import { AppError } from '../../../ground/errors/app-error.ts'
import { transact } from '../../../store/transact.ts'
import { findOwnerEmail } from '../../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import type { Context } from '../../../tenancy/context.ts'
import type { BillingGateway, Checkout } from '../gateway.ts'
import type { StoredCard } from '../payment-methods.repo.ts'
import { settleAccount } from '../settle.ts'
import { countSyncs, getPublicId, getSubscriptionRow, keepCustomer } from '../subscriptions.repo.ts'
import { changeStripePlan, dropUpgrade, endLater, isEnding, keep } from './change-plan.ts'
import { adderKey, removerKey } from './changed-cards.ts'
import { payWith } from './pay-with.ts'
import { previewStripeChange } from './preview-change.ts'
import { callStripe, isMissingAtStripe, requireStripeConfig } from './stripe-client.ts'
import { syncAccount } from './sync.ts'
import { requestSync } from './sync-queue.repo.ts'

const conflict = (message: string) => new AppError('billing_conflict', message)

/** Billing at Stripe. Each call changes Stripe first and then reads the result back. */
export const stripeGateway: BillingGateway = {
  name: 'stripe',
  // Stripe renews by itself. The only due steps here are plans that end because Stripe has been silent.
  settle: settleAccount,
  createSetupIntent,
  createCheckout,
  changePlan: (ctx, accountId, choice) =>
    change(ctx, accountId, (stripe, subscription) => changeStripePlan(ctx, stripe, subscription, choice)),
  previewChange: (ctx, accountId, choice) =>
    onSubscription(ctx, accountId, (stripe, subscription) =>
      previewStripeChange(ctx, stripe, subscription, choice),
    ),
  cancel: (ctx, accountId, immediate) =>
    change(ctx, accountId, (stripe, subscription) =>
      immediate ? cancelNow(stripe, subscription) : endLater(stripe, subscription),
    ),
  reactivate: (ctx, accountId) =>
    change(ctx, accountId, (stripe, subscription) => {
      if (!isEnding(subscription) && subscription.schedule === null) {
        throw conflict('The subscription is not set to end.')
      }
      return keep(stripe, subscription)
    }),
  setDefaultCard,
  removeCard,
  openPortal,
  tellOwner,
  close,
}

/**
 * Returns the account's Stripe customer, creating one if needed. The idempotency key lets concurrent calls create the
 * same one; it changes after a customer was deleted.
 */
async function requireCustomer(ctx: Context, accountId: number): Promise<string> {
  const { customerId } = await getSubscriptionRow(ctx.db, accountId)
  if (customerId !== null) return customerId
  const email = await findOwnerEmail(ctx.db, accountId)
  const publicId = await getPublicId(ctx.db, accountId)
  const sync = await countSyncs(ctx.db, accountId)
  const customer = await callStripe(ctx, (stripe) =>
    stripe.customers.create(
      { metadata: { accountId: publicId }, ...(email === undefined ? {} : { email }) },
      { idempotencyKey: `customer-${publicId}-${sync}` },
    ),
  )
  return transact(ctx, ({ db }) => keepCustomer(db, accountId, customer.id))
}

async function createSetupIntent(ctx: Context, accountId: number, userId: string): Promise<string> {
  const customer = await requireCustomer(ctx, accountId)
  const intent = await callStripe(ctx, (stripe) =>
    stripe.setupIntents.create({
      customer,
      usage: 'off_session',
      allowed_payment_method_types: ['card'],
      metadata: { [adderKey]: userId },
    }),
  )
  return intent.client_secret ?? ''
}

async function createCheckout(ctx: Context, accountId: number, checkout: Checkout): Promise<string> {
  const customer = await requireUpToDateCustomer(ctx, accountId)
  const publicId = await getPublicId(ctx.db, accountId)
  const { subscriptionId, trialEnd, plan } = await getSubscriptionRow(ctx.db, accountId)
  if (subscriptionId !== null) throw conflict(alreadySubscribed(plan))
  const trial =
    trialEnd === null
      ? {
          trial_period_days: trialDays,
          trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
        }
      : {}
  const session = await callStripe(ctx, async (stripe) => {
    const made = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: publicId,
      line_items: [{ price: checkout.priceId, quantity: 1 }],
      success_url: checkout.successUrl,
      cancel_url: checkout.cancelUrl,
      payment_method_collection: trialEnd === null ? 'if_required' : 'always',
      ...taxOptions(ctx),
      tax_id_collection: { enabled: true },
      allow_promotion_codes: true,
      // Later invoices use the name and address entered at checkout.
      customer_update: { address: 'auto', name: 'auto' },
      subscription_data: { metadata: { accountId: publicId }, ...trial },
    })
    await expireOlderCheckouts(stripe, customer)
    return made
  })
  return session.url ?? ''
}

/** The subscription takes these over from checkout, for each later invoice and preview. */
const taxOptions = (ctx: Context) =>
  requireStripeConfig(ctx).automaticTax ? { automatic_tax: { enabled: true } } : {}

const alreadySubscribed = (plan: string) =>
  plan === freePlanId
    ? 'The payment of your subscription failed. Add a card that pays, and its plan is in force again.'
    : 'There is a paid plan already. Change it instead.'

/** The event of a checkout that was just paid can still be in transit. */
async function requireUpToDateCustomer(ctx: Context, accountId: number): Promise<string> {
  const { customerId } = await getSubscriptionRow(ctx.db, accountId)
  if (customerId !== null) await syncAccount(ctx, accountId, customerId)
  return requireCustomer(ctx, accountId)
}

/**
 * If several checkout pages are open, only the newest can be paid; otherwise there would be two subscriptions. Called
 * after opening one, so that of two opened at once only one stays. Stripe lists the newest first.
 */
async function expireOlderCheckouts(stripe: Stripe, customer: string): Promise<void> {
  const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 10 })
  for (const session of open.data.slice(1)) await stripe.checkout.sessions.expire(session.id)
}

/** Runs `work` on the subscription at Stripe. Throws `billing_conflict` if there is none. */
async function onSubscription<T>(
  ctx: Context,
  accountId: number,
  work: (stripe: Stripe, subscription: Stripe.Subscription) => Promise<T>,
): Promise<T> {
  const { subscriptionId } = await getSubscriptionRow(ctx.db, accountId)
  if (subscriptionId === null) throw conflict('There is no paid plan. Choose one through checkout.')
  return callStripe(ctx, async (stripe) => work(stripe, await stripe.subscriptions.retrieve(subscriptionId)))
}

/** Changes the subscription, then reads it back, even if Stripe refused after a partial change. */
async function change(ctx: Context, accountId: number, work: ChangeWork): Promise<void> {
  try {
    await onSubscription(ctx, accountId, async (stripe, subscription) => {
      await dropUpgrade(stripe, subscription)
      return work(stripe, subscription)
    })
  } catch (error) {
    await syncIfKnown(ctx, accountId).catch((err: unknown) =>
      ctx.log.warn({ err, accountId }, 'the result of a change at Stripe could not be read'),
    )
    throw error
  }
  await readBack(ctx, accountId)
}

/** The change is made, so a failed read is not a failed change: the queue reads again later. */
async function readBack(ctx: Context, accountId: number): Promise<void> {
  try {
    await syncIfKnown(ctx, accountId)
  } catch (err) {
    ctx.log.warn({ err, accountId }, 'the result of a change at Stripe could not be read; trying again')
    await transact(ctx, ({ db }) => requestSync(db, accountId, ctx.now()))
  }
}

type ChangeWork = (stripe: Stripe, subscription: Stripe.Subscription) => Promise<unknown>

async function syncIfKnown(ctx: Context, accountId: number): Promise<void> {
  const { customerId } = await getSubscriptionRow(ctx.db, accountId)
  if (customerId !== null) await syncAccount(ctx, accountId, customerId)
}

/** Pending items are billed; an unpaid period is no longer collected. */
async function cancelNow(stripe: Stripe, { id, status }: Stripe.Subscription): Promise<void> {
  const unpaid =
    status === 'past_due'
      ? await stripe.invoices.list({ subscription: id, status: 'open', limit: openInvoicesMax })
      : { data: [] }
  await stripe.subscriptions.cancel(id, { invoice_now: true, prorate: false })
  for (const invoice of unpaid.data) await stripe.invoices.voidInvoice(invoice.id ?? '')
}

const openInvoicesMax = 10

async function setDefaultCard(ctx: Context, accountId: number, cardId: string): Promise<void> {
  const customerId = await requireCustomer(ctx, accountId)
  await payWith(ctx, customerId, await getSubscriptionRow(ctx.db, accountId), cardId)
  await syncAccount(ctx, accountId, customerId)
}

/** The sync that finds the card gone records who removed it, even if Stripe's event causes that sync. */
async function removeCard(ctx: Context, actor: Actor, { id }: Pick<StoredCard, 'id'>): Promise<void> {
  const customerId = await requireCustomer(ctx, actor.accountId)
  await callStripe(ctx, async (stripe) => {
    await stripe.paymentMethods.update(id, { metadata: { [removerKey]: actor.userId } })
    await stripe.paymentMethods.detach(id)
  })
  await syncAccount(ctx, actor.accountId, customerId, actor)
}

/** Name, address and tax numbers, invoices and cards, as configured in Stripe's dashboard. */
async function openPortal(ctx: Context, accountId: number, returnUrl: string): Promise<string> {
  const customer = await requireCustomer(ctx, accountId)
  const session = await callStripe(ctx, (stripe) =>
    stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }),
  )
  return session.url
}

async function tellOwner(ctx: Context, accountId: number): Promise<void> {
  const { customerId } = await getSubscriptionRow(ctx.db, accountId)
  const email = await findOwnerEmail(ctx.db, accountId)
  if (customerId === null || email === undefined) return
  await callStripe(ctx, (stripe) => stripe.customers.update(customerId, { email }))
}

/** Deleting the customer ends the subscription and removes the cards. */
async function close(ctx: Context, accountId: number): Promise<void> {
  const { customerId } = await getSubscriptionRow(ctx.db, accountId)
  if (customerId === null) return
  try {
    await callStripe(ctx, (stripe) => stripe.customers.del(customerId))
  } catch (error) {
    if (!isMissingAtStripe(error)) throw error
  }
}
