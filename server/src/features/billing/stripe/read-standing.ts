import type { EndReason } from '@loci/contract/billing'
import type Stripe from 'stripe'
import { secondMs } from '../../../ground/lib/time.ts'
import type { InvoiceLine } from '../billing.rules.ts'
import { neverEnded, type StoredSubscription } from '../subscriptions.repo.ts'

type Standing = Pick<StoredSubscription, 'failedPayments' | 'nextTryAt'>
type End = Pick<StoredSubscription, 'endedPlan' | 'endedAt' | 'endReason'>

/** How often payment of the newest open invoice was tried, and when it is retried. */
export function standingOf({ status }: { status: string }, invoices: readonly Stripe.Invoice[]): Standing {
  const open = invoices.find((invoice) => invoice.status === 'open')
  if (status !== 'past_due' || open === undefined) return { failedPayments: 0, nextTryAt: null }
  const next = open.next_payment_attempt ?? undefined
  return { failedPayments: open.attempt_count ?? 0, nextTryAt: next === undefined ? null : next * secondMs }
}

/** How the newest ended subscription ended. `planOf` maps a price to its plan. */
export function endOf(
  subscriptions: readonly Stripe.Subscription[],
  planOf: (priceId: string | undefined) => string | undefined,
): End {
  const over = subscriptions.filter(({ status, ended_at }) => status === 'canceled' && (ended_at ?? 0) > 0)
  const [newest] = over.toSorted((a, b) => b.ended_at! - a.ended_at!)
  const endedPlan = planOf(newest?.items.data[0]?.price.id)
  if (newest === undefined || endedPlan === undefined) return neverEnded
  return { endedPlan, endedAt: newest.ended_at! * secondMs, endReason: reasonOf(newest) }
}

/** With which we cancel a subscription whose payment was disputed; Stripe gives the reason only to its own. */
export const disputedComment = 'payment disputed'

/** A trial that ended on its last day without being cancelled had no card. */
function reasonOf({
  cancellation_details,
  trial_end,
  ended_at,
  canceled_at,
}: Stripe.Subscription): EndReason {
  if (cancellation_details?.reason === 'payment_failed') return 'payment_failed'
  const isDisputed =
    cancellation_details?.reason === 'payment_disputed' || cancellation_details?.comment === disputedComment
  if (isDisputed) return 'disputed'
  const wasAsked = (canceled_at ?? ended_at ?? 0) < (ended_at ?? 0)
  return trial_end !== null && trial_end === ended_at && !wasAsked ? 'trial_ended' : 'cancelled'
}

/** The items sold, less discounts; a single line if there are more than Stripe returns at once. */
export function linesOf(invoice: Stripe.Invoice): InvoiceLine[] {
  const { lines, total } = invoice
  if (lines === undefined || lines.has_more) {
    return [{ description: 'Items of this invoice', amount: total - taxOf(invoice) }]
  }
  const discount = sumOf(invoice.total_discount_amounts)
  return [
    ...lines.data.map(({ description, amount, period }) => ({
      description: description ?? '',
      amount,
      period: { start: period.start * secondMs, end: period.end * secondMs },
    })),
    ...(discount === 0 ? [] : [{ description: 'Discount', amount: 0 - discount }]),
  ]
}

export function taxOf({ total_taxes }: Stripe.Invoice): number {
  return sumOf(total_taxes)
}

const sumOf = (parts: readonly { amount: number }[] | null | undefined): number =>
  (parts ?? []).reduce((sum, { amount }) => sum + amount, 0)
