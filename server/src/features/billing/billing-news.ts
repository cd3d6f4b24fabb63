import type { EndReason } from '@loci/contract/billing'
import { freePlanId } from '@loci/contract/plans'
import { dayMs } from '../../ground/lib/time.ts'
import type { StoredInvoice } from './invoices.repo.ts'
import type { StoredSubscription } from './subscriptions.repo.ts'

export type BillingState = { subscription: StoredSubscription; invoices: readonly StoredInvoice[] }

/** Billing news for the owner; `id` is unique within the account. */
export type BillingNews = { id: string } & (
  | { kind: 'receipt'; invoice: StoredInvoice }
  | { kind: 'payment_failed'; invoice: StoredInvoice; subscription: StoredSubscription }
  | { kind: 'plan_ended'; plan: string; reason: Exclude<EndReason, 'cancelled'> }
)

/** Older events are skipped: they turn up after downtime, or in the first sync of an old customer. */
const newsAgeMaxMs = 3 * dayMs

/** Returns the news that a change of billing state has for the owner. */
export function newsOf(before: BillingState, after: BillingState, now: number): BillingNews[] {
  const isNew = (moment: number | null) => moment !== null && moment > now - newsAgeMaxMs
  const statusBefore = new Map(before.invoices.map(({ id, status }) => [id, status]))
  const receipts = after.invoices.filter(
    ({ id, status, amount, paidAt }) =>
      status === 'paid' && amount > 0 && isNew(paidAt) && statusBefore.get(id) !== 'paid',
  )
  return [
    ...receipts.map((invoice) => ({ id: `receipt-${invoice.id}`, kind: 'receipt' as const, invoice })),
    ...failureOf(before, after, now),
    ...(isNew(after.subscription.endedAt) ? endOf(before, after) : []),
  ]
}

function failureOf(
  before: BillingState,
  { subscription, invoices }: BillingState,
  now: number,
): BillingNews[] {
  const { status, failedPayments, nextTryAt } = subscription
  const invoice = invoices.find((candidate) => candidate.status === 'open')
  if (status !== 'past_due' || invoice === undefined) return []
  const known =
    before.subscription.status === 'past_due' && before.subscription.failedPayments === failedPayments
  // A retry that is due by now has its own news.
  if (known || (nextTryAt !== null && nextTryAt <= now)) return []
  return [
    { id: `payment-failed-${invoice.id}-${failedPayments}`, kind: 'payment_failed', invoice, subscription },
  ]
}

/** A person who cancelled knows already. */
function endOf(before: BillingState, { subscription }: BillingState): BillingNews[] {
  const { plan, endedPlan, endedAt, endReason } = subscription
  const isOver = plan === freePlanId && endedAt !== before.subscription.endedAt
  if (!isOver || endedPlan === null || endReason === null || endReason === 'cancelled') return []
  return [{ id: `plan-ended-${endedAt}`, kind: 'plan_ended', plan: endedPlan, reason: endReason }]
}
