import type Stripe from 'stripe'
import { secondMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { type InvoiceLine, periodEndAfter, sameInterval, toWholeSeconds } from '../billing.rules.ts'
import type { PlanChoice, PreviewedChange } from '../gateway.ts'
import { discountsOf, kindOfChange, prorationDate, requireItem } from './change-plan.ts'
import { idOf } from './object-ids.ts'
import { planOfPrice } from './read-stripe.ts'

type Choice = Pick<PlanChoice, 'plan' | 'priceId'>

/** Asks Stripe what it would charge for a change. */
export async function previewStripeChange(
  ctx: Context,
  stripe: Stripe,
  subscription: Stripe.Subscription,
  choice: Choice,
): Promise<PreviewedChange> {
  const kind = kindOfChange(ctx, subscription, choice)
  const at = toWholeSeconds(ctx.now())
  const periodEnd = requireItem(subscription).current_period_end * secondMs
  const atOnce = kind === 'stay' || kind === 'upgrade'
  const waiting = { now: 0, lines: [], effectiveAt: atOnce ? at : periodEnd }
  if (kind === 'end') return { ...waiting, next: null }
  const renewal = await previewRenewal(stripe, subscription, choice.priceId ?? '')
  if (kind !== 'upgrade' || subscription.status === 'trialing') {
    return { ...waiting, next: { amount: renewal.amount_due, at: periodEnd } }
  }
  const invoice = await previewUpgrade(stripe, subscription, choice, at)
  const from = planOfPrice(ctx, requireItem(subscription).price.id)
  const nextAt =
    from !== undefined && sameInterval(from, choice.plan) ? periodEnd : periodEndAfter(at, at, choice.plan)
  const next = { amount: Math.max(renewal.total + invoice.balanceAfter, 0), at: nextAt }
  return { now: invoice.due, lines: invoice.lines, next, effectiveAt: at }
}

/** One period of a plan as Stripe would bill it to this customer, with tax, discounts and credit. */
function previewRenewal(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  price: string,
): Promise<Stripe.Invoice> {
  return stripe.invoices.createPreview({
    customer: idOf(subscription.customer) ?? '',
    subscription_details: { items: [{ price, quantity: 1 }] },
    ...discountsOf(subscription),
    ...(subscription.automatic_tax.enabled ? { automatic_tax: { enabled: true } } : {}),
  })
}

/** The invoice of an upgrade, without lines of a later period. */
async function previewUpgrade(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  { priceId }: Choice,
  at: number,
): Promise<{ due: number; lines: InvoiceLine[]; balanceAfter: number }> {
  const item = requireItem(subscription)
  const invoice = await stripe.invoices.createPreview({
    customer: idOf(subscription.customer) ?? '',
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: item.id, price: priceId ?? '' }],
      proration_behavior: 'always_invoice',
      proration_date: prorationDate(subscription, at),
    },
  })
  const { starting_balance: before } = invoice
  const current = invoice.lines.data.filter(({ period }) => period.start < item.current_period_end)
  const lines = current.map(({ description, amount }) => ({ description: description ?? '', amount }))
  const isWhole = current.length === invoice.lines.data.length
  const total = isWhole ? invoice.total : lines.reduce((sum, { amount }) => sum + amount, 0)
  const due = isWhole ? invoice.amount_due : Math.max(total + before, 0)
  return { due, lines: withOtherAmounts(lines, total, due), balanceAfter: before + total - due }
}

/** Stripe's invoice lines exclude tax, discounts and credit; here the lines add up to the amount due. */
function withOtherAmounts(lines: InvoiceLine[], total: number, due: number): InvoiceLine[] {
  const taxes = total - lines.reduce((sum, { amount }) => sum + amount, 0)
  const others = [
    { description: 'Tax and discounts', amount: taxes },
    { description: due < total ? 'Paid from credit' : 'Kept as credit', amount: due - total },
  ]
  return [...lines, ...others.filter(({ amount }) => amount !== 0)]
}
