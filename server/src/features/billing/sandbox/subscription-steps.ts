import type { EndReason } from '@loci/contract/billing'
import type { Context } from '../../../tenancy/context.ts'
import { nextTryAfter, periodEndAfter, planLine } from '../billing.rules.ts'
import { findOpenInvoice, saveInvoice } from '../invoices.repo.ts'
import { postFacts } from '../ledger/post-facts.ts'
import { listCards } from '../payment-methods.repo.ts'
import { ended, type StoredSubscription } from '../subscriptions.repo.ts'
import { chargeCard, enterFailure, makeInvoice, type Payer } from './invoicing.ts'

/** Runs the subscription's step due at `nextStepAt`: a trial or a period ends, or a failed payment is retried. */
export async function takeStep(
  ctx: Context,
  subscription: StoredSubscription,
  at: number,
): Promise<StoredSubscription> {
  if (subscription.status === 'past_due') return retryPayment(ctx, subscription, at)
  if (subscription.cancelAtPeriodEnd) return endSubscription(ctx, subscription, at, 'cancelled')
  const isTrial = subscription.status === 'trialing'
  if (isTrial && (await listCards(ctx.db, subscription.accountId)).length === 0) {
    return endSubscription(ctx, subscription, at, 'trial_ended')
  }
  const plan = subscription.pendingPlan ?? subscription.plan
  const anchor = subscription.anchor ?? at
  return beginPeriod(ctx, { ...subscription, plan, anchor, pendingPlan: null }, at)
}

/**
 * Invoices the plan for the period that begins at `start`. If payment fails, the plan continues while payment is
 * retried.
 */
export async function beginPeriod(
  ctx: Context,
  subscription: StoredSubscription & { anchor: number },
  start: number,
): Promise<StoredSubscription> {
  const { plan, anchor } = subscription
  const periodEnd = periodEndAfter(anchor, start, plan)
  const made = await makeInvoice(ctx, subscription, [planLine(plan, { start, end: periodEnd })], start)
  return {
    ...made.subscription,
    periodStart: start,
    periodEnd,
    ...(made.charge.paid ? paidUntil(periodEnd) : pastDue(1, start)),
  }
}

/** Ends a plan: nothing is owed afterwards. Credit remains. */
export async function endSubscription(
  ctx: Context,
  subscription: StoredSubscription,
  at: number,
  endReason: EndReason,
): Promise<StoredSubscription> {
  const { accountId, credit } = subscription
  if (credit < 0) await forgive(ctx, accountId, { owed: 0 - credit, at })
  return {
    ...subscription,
    ...ended,
    credit: Math.max(credit, 0),
    endedPlan: subscription.plan,
    endedAt: at,
    endReason,
  }
}

/** Less than the smallest charge is not collected after the end. */
async function forgive(ctx: Context, accountId: number, { owed, at }: { owed: number; at: number }) {
  const fact = { id: ctx.newId('adj'), at, amount: owed, currency: 'usd', invoiceId: null }
  await postFacts(ctx, accountId, { credit: [{ ...fact, reason: 'adjustment' }] })
}

const paidUntil = (periodEnd: number | null) =>
  ({ status: 'active', failedPayments: 0, nextStepAt: periodEnd, nextTryAt: null }) as const

function pastDue(failedPayments: number, at: number) {
  const nextTryAt = nextTryAfter(failedPayments, at) ?? null
  return { status: 'past_due', failedPayments, nextStepAt: nextTryAt, nextTryAt } as const
}

async function retryPayment(
  ctx: Context,
  subscription: StoredSubscription,
  at: number,
): Promise<StoredSubscription> {
  const paid = await payOpenInvoice(ctx, subscription, at)
  if (paid !== undefined) return paid
  const failures = subscription.failedPayments + 1
  if (nextTryAfter(failures, at) !== undefined) return { ...subscription, ...pastDue(failures, at) }
  await closeOpenInvoice(ctx, subscription.accountId, 'uncollectible')
  return endSubscription(ctx, subscription, at, 'payment_failed')
}

/** Returns the subscription in good standing, or undefined if the open invoice still cannot be paid. */
export async function payOpenInvoice(
  ctx: Context,
  subscription: StoredSubscription,
  at: number,
  payer?: Payer,
): Promise<StoredSubscription | undefined> {
  const { accountId, periodEnd } = subscription
  const invoice = await findOpenInvoice(ctx.db, accountId)
  if (invoice === undefined) return { ...subscription, ...paidUntil(periodEnd) }
  const charge = await chargeCard(ctx, accountId, invoice.amount, at, payer)
  if (!charge.paid) {
    await enterFailure(ctx, accountId, invoice, at)
    return undefined
  }
  await saveInvoice(ctx.db, accountId, { ...invoice, status: 'paid', paidWith: charge.paidWith, paidAt: at })
  return { ...subscription, ...paidUntil(periodEnd) }
}

/** The open invoice will not be collected any more. */
export async function closeOpenInvoice(
  ctx: Context,
  accountId: number,
  status: 'void' | 'uncollectible',
): Promise<void> {
  const open = await findOpenInvoice(ctx.db, accountId)
  if (open !== undefined) await saveInvoice(ctx.db, accountId, { ...open, status })
}
