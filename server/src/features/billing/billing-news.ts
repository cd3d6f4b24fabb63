import { freePlanId } from '@loci/contract/plans'
import { dayMs } from '../../lib/time.ts'
import type { StoredInvoice } from './invoices.repo.ts'
import type { StoredSubscription } from './subscriptions.repo.ts'

export type BillingState = { subscription: StoredSubscription; invoices: readonly StoredInvoice[] }

/** What an owner should hear of; `id` names it among all news of the account. */
export type BillingNews = { id: string } & (
  | { kind: 'receipt'; invoice: StoredInvoice }
  | { kind: 'payment_failed'; invoice: StoredInvoice; subscription: StoredSubscription }
  | { kind: 'plan_ended'; plan: string; reason: 'payment_failed' | 'trial_ended' }
)

/** What happened longer ago is not told: it comes up after a standstill, or with the first look at an old customer. */
const newsAgeMaxMs = 3 * dayMs

/** What an owner should hear of a change of their billing. */
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
  // A try that is over by now has news of its own.
  if (known || (nextTryAt !== null && nextTryAt <= now)) return []
  return [
    { id: `payment-failed-${invoice.id}-${failedPayments}`, kind: 'payment_failed', invoice, subscription },
  ]
}

/** Who cancelled knows. */
function endOf(before: BillingState, { subscription }: BillingState): BillingNews[] {
  const { plan, endedPlan, endedAt, endReason } = subscription
  const isOver = plan === freePlanId && endedAt !== before.subscription.endedAt
  if (!isOver || endedPlan === null || endReason === null || endReason === 'cancelled') return []
  return [{ id: `plan-ended-${endedAt}`, kind: 'plan_ended', plan: endedPlan, reason: endReason }]
}
