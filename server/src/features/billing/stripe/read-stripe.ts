import { InvoiceStatus, SubscriptionStatus } from '@loci/contract/billing'
import { findPlan, freePlanId } from '@loci/contract/plans'
import type Stripe from 'stripe'
import { secondMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { graceMs } from '../billing-notices.ts'
import { noticesWithDispute } from '../dispute-notice.ts'
import { invoicesListedMax, type StoredInvoice } from '../invoices.repo.ts'
import type { StoredCard } from '../payment-methods.repo.ts'
import { ended, neverEnded, type PendingUpgrade, type StoredSubscription } from '../subscriptions.repo.ts'
import { idOf } from './object-ids.ts'
import { noMoney, readMoney, type StripeMoney } from './read-money.ts'
import { endOf, linesOf, standingOf, taxOf } from './read-standing.ts'
import { callStripe, requireStripeConfig } from './stripe-client.ts'
import { customerDeleted, noticesAbout } from './stripe-notices.ts'

/** Everything Stripe knows of a customer that we show. */
export type StripeState = {
  subscription: Pick<
    StoredSubscription,
    | 'plan'
    | 'status'
    | 'periodStart'
    | 'periodEnd'
    | 'trialEnd'
    | 'cancelAtPeriodEnd'
    | 'pendingPlan'
    | 'subscriptionId'
    | 'customerId'
    | 'failedPayments'
    | 'nextTryAt'
    | 'endedPlan'
    | 'endedAt'
    | 'endReason'
    | 'nextStepAt'
    | 'notices'
  >
  cards: StoredCard[]
  /** The newest, as the screens show them. */
  invoices: StoredInvoice[]
  money: StripeMoney
  /** When the subscription began, milliseconds; null without one. */
  startedAt: number | null
}

/** Subscriptions in these states neither grant nor charge anything (any more). */
const overStatuses: readonly string[] = ['canceled', 'incomplete', 'incomplete_expired', 'paused']

/** More than a customer has in decades. */
const invoicesReadMax = 5_000

const toMs = (seconds: number) => seconds * secondMs

/** `before` is what is stored for the account: an unknown price leaves the plan unchanged. */
export async function readStripe(
  ctx: Context,
  customerId: string,
  before: Pick<StoredSubscription, 'plan' | 'subscriptionId'>,
): Promise<StripeState> {
  const customer = await callStripe(ctx, (stripe) => stripe.customers.retrieve(customerId))
  if (customer.deleted) {
    const notices = JSON.stringify([customerDeleted])
    return {
      subscription: { ...ended, ...neverEnded, trialEnd: null, customerId: null, notices },
      cards: [],
      invoices: [],
      money: noMoney,
      startedAt: null,
    }
  }
  const [subscriptions, methods, invoices] = await callStripe(ctx, (stripe) =>
    Promise.all([
      stripe.subscriptions.list({
        customer: customerId,
        status: 'all',
        limit: 20,
        expand: ['data.schedule'],
      }),
      stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 20 }),
      stripe.invoices
        .list({ customer: customerId, limit: invoicesListedMax, expand: ['data.payments'] })
        .autoPagingToArray({ limit: invoicesReadMax }),
    ]),
  )
  const money = await readMoney(ctx, customer, invoices)
  const running = subscriptions.data.filter(({ status }) => !overStatuses.includes(status))
  const current = largestOf(ctx, running)
  const trials = subscriptions.data.flatMap(({ trial_end }) => (trial_end === null ? [] : [toMs(trial_end)]))
  const defaultCard =
    idOf(current?.default_payment_method) ?? idOf(customer.invoice_settings.default_payment_method)
  return {
    subscription: {
      ...(current === undefined
        ? ended
        : { ...toSubscription(ctx, current, before), ...standingOf(current, invoices) }),
      ...endOf(subscriptions.data, (priceId) => planOfPrice(ctx, priceId)),
      notices: noticesWithDispute(
        JSON.stringify(noticesAbout(ctx, running, current)),
        money.facts.disputes.some(({ amount, outcome }) => amount > 0 && outcome === null),
      ),
      trialEnd: trials.length === 0 ? null : Math.max(...trials),
      customerId,
    },
    cards: methods.data
      .map((method) => toCard(method, defaultCard))
      .sort((a, b) => a.createdAt - b.createdAt),
    invoices: invoices
      .filter((invoice) => invoice.status !== 'draft')
      .slice(0, invoicesListedMax)
      .map(toInvoice),
    money,
    startedAt: current === undefined ? null : toMs(current.created),
  }
}

/** If there are several, the largest paid plan counts, so nobody gets less than they pay for; else the newest. */
function largestOf(ctx: Context, running: readonly Stripe.Subscription[]): Stripe.Subscription | undefined {
  const rankOf = ({ status, items }: Stripe.Subscription) =>
    status === 'unpaid' ? -1 : (findPlan(planOfPrice(ctx, items.data[0]?.price.id) ?? '')?.monthlyPrice ?? 0)
  return running.toSorted((a, b) => rankOf(b) - rankOf(a))[0]
}

function toSubscription(
  ctx: Context,
  subscription: Stripe.Subscription,
  before: Pick<StoredSubscription, 'plan' | 'subscriptionId'>,
) {
  const item = subscription.items.data[0]
  const endsAt = endWithin(subscription, item)
  const periodEnd = item === undefined ? null : toMs(endsAt ?? item.current_period_end)
  const cancelAtPeriodEnd = subscription.cancel_at_period_end || endsAt !== undefined
  const known = before.subscriptionId === subscription.id ? before.plan : freePlanId
  const plan = planOfPrice(ctx, item?.price.id)
  if (plan === undefined) ctx.log.error({ priceId: item?.price.id }, 'a price of Stripe is not configured')
  return {
    plan: subscription.status === 'unpaid' ? freePlanId : (plan ?? known),
    status: statusOf(subscription),
    periodStart: item === undefined ? null : toMs(item.current_period_start),
    periodEnd,
    cancelAtPeriodEnd,
    pendingPlan: pendingPlanOf(ctx, subscription),
    pendingUpgrade: pendingUpgradeOf(ctx, subscription),
    subscriptionId: subscription.id,
    // By then Stripe will have told us what followed the period.
    nextStepAt: periodEnd === null ? null : periodEnd + (cancelAtPeriodEnd ? 0 : graceMs),
  } as const
}

/** Unpaid is past due without retries: a valid card ends both. */
function statusOf({ status }: Stripe.Subscription): SubscriptionStatus {
  return status === 'unpaid' ? 'past_due' : SubscriptionStatus.catch('active').parse(status)
}

/** The day, set in Stripe's dashboard, on which a subscription ends within the current period. */
function endWithin(
  { cancel_at }: Stripe.Subscription,
  item: Stripe.SubscriptionItem | undefined,
): number | undefined {
  if (cancel_at === null || item === undefined || cancel_at > item.current_period_end) return undefined
  return cancel_at
}

/** The plan of the schedule's next phase, if there is one. */
function pendingPlanOf(ctx: Context, { schedule, items }: Stripe.Subscription): string | null {
  if (schedule === null || typeof schedule === 'string') return null
  const periodEnd = items.data[0]?.current_period_end ?? 0
  const next = schedule.phases.find((phase) => phase.start_date >= periodEnd)
  return planOfPrice(ctx, idOf(next?.items[0]?.price)) ?? null
}

/** An upgrade that waits until its invoice is paid. */
function pendingUpgradeOf(
  ctx: Context,
  { pending_update, latest_invoice }: Stripe.Subscription,
): PendingUpgrade | null {
  const plan = planOfPrice(ctx, pending_update?.subscription_items?.[0]?.price.id)
  const invoiceId = idOf(latest_invoice)
  if (pending_update === null || plan === undefined || invoiceId === undefined) return null
  return { plan, invoiceId, expiresAt: toMs(pending_update.expires_at) }
}

/** The plan of a price; undefined if the price is not configured. */
export function planOfPrice(ctx: Context, priceId: string | undefined): string | undefined {
  const { prices } = requireStripeConfig(ctx)
  return Object.keys(prices).find((planId) => prices[planId] === priceId)
}

function toCard(method: Stripe.PaymentMethod, defaultCard: string | undefined): StoredCard {
  return {
    id: method.id,
    brand: method.card?.brand ?? 'card',
    last4: method.card?.last4 ?? '',
    expMonth: method.card?.exp_month ?? 1,
    expYear: method.card?.exp_year ?? 2000,
    isDefault: method.id === defaultCard,
    pays: true,
    createdAt: toMs(method.created),
  }
}

/** Stripe renders its own invoices: its page and PDF have seller, buyer and all lines. */
function toInvoice(invoice: Stripe.Invoice): StoredInvoice {
  const paidAt = invoice.status_transitions?.paid_at ?? undefined
  const dueAt = invoice.due_date ?? undefined
  return {
    id: invoice.id ?? '',
    number: invoice.number ?? '',
    createdAt: toMs(invoice.created),
    currency: invoice.currency ?? 'usd',
    amount: invoice.amount_due,
    status: InvoiceStatus.catch('open').parse(invoice.status),
    hostedUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
    lines: linesOf(invoice),
    paidWith: null,
    tax: taxOf(invoice),
    dueAt: dueAt === undefined ? null : toMs(dueAt),
    paidAt: paidAt === undefined ? null : toMs(paidAt),
    parties: undefined,
  }
}
