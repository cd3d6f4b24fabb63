import type { Context } from '../../../context.ts'
import { nameOfPlan, nextTryAfter, periodEndAfter, priceOf } from '../billing.rules.ts'
import { findOpenInvoice, saveInvoice } from '../invoices.repo.ts'
import { listCards } from '../payment-methods.repo.ts'
import { ended, type StoredSubscription } from '../subscriptions.repo.ts'
import { chargeCard, makeInvoice } from './invoicing.ts'

/** What happens to a subscription at its `nextStepAt`: a trial or a period ends, or a failed payment is tried again. */
export async function takeStep(
  ctx: Context,
  subscription: StoredSubscription,
  at: number,
): Promise<StoredSubscription> {
  if (subscription.status === 'past_due') return retryPayment(ctx, subscription, at)
  if (subscription.cancelAtPeriodEnd) return { ...subscription, ...ended }
  const isTrial = subscription.status === 'trialing'
  if (isTrial && (await listCards(ctx.db, subscription.accountId)).length === 0) {
    return { ...subscription, ...ended }
  }
  const plan = subscription.pendingPlan ?? subscription.plan
  const anchor = subscription.anchor ?? at
  return beginPeriod(ctx, { ...subscription, plan, anchor, pendingPlan: null }, at)
}

/** Invoices the plan for the period that begins at `start`. Without payment the plan goes on for the time of the retries. */
export async function beginPeriod(
  ctx: Context,
  subscription: StoredSubscription & { anchor: number },
  start: number,
): Promise<StoredSubscription> {
  const { plan, anchor } = subscription
  const line = { description: nameOfPlan(plan), amount: priceOf(plan) }
  const { invoice, invoicesMade } = await makeInvoice(ctx, subscription, [line], start)
  const periodEnd = periodEndAfter(anchor, start, plan)
  return {
    ...subscription,
    periodStart: start,
    periodEnd,
    invoicesMade,
    ...(invoice.status === 'paid' ? paidUntil(periodEnd) : pastDue(1, start)),
  }
}

const paidUntil = (periodEnd: number | null) =>
  ({ status: 'active', failedPayments: 0, nextStepAt: periodEnd }) as const

const pastDue = (failedPayments: number, at: number) =>
  ({ status: 'past_due', failedPayments, nextStepAt: nextTryAfter(failedPayments, at) ?? null }) as const

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
  return { ...subscription, ...ended }
}

/** The subscription in good order again; undefined when the open invoice still cannot be paid. */
export async function payOpenInvoice(
  ctx: Context,
  subscription: StoredSubscription,
  at: number,
): Promise<StoredSubscription | undefined> {
  const { accountId, periodEnd } = subscription
  const invoice = await findOpenInvoice(ctx.db, accountId)
  if (invoice === undefined) return { ...subscription, ...paidUntil(periodEnd) }
  const charge = await chargeCard(ctx, accountId, invoice.amount, at)
  if (!charge.paid) return undefined
  await saveInvoice(ctx.db, accountId, { ...invoice, status: 'paid', paidWith: charge.paidWith })
  return { ...subscription, ...paidUntil(periodEnd) }
}

/** Nobody will be asked for what is open any more. */
export async function closeOpenInvoice(
  ctx: Context,
  accountId: number,
  status: 'void' | 'uncollectible',
): Promise<void> {
  const open = await findOpenInvoice(ctx.db, accountId)
  if (open !== undefined) await saveInvoice(ctx.db, accountId, { ...open, status })
}
