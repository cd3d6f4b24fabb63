import { trialDays } from '@loci/contract/billing'
import { freePlanId } from '@loci/contract/plans'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { dayMs } from '../../../lib/time.ts'
import { isUpgrade, nameOfPlan, priceOf, prorate, prorationLines, sameInterval } from '../billing.rules.ts'
import { insertItems, takeItems } from '../invoices.repo.ts'
import { ended, type StoredSubscription } from '../subscriptions.repo.ts'
import { chargeCard } from './invoicing.ts'
import { beginPeriod, closeOpenInvoice } from './steps.ts'
import { declined } from './test-cards.ts'

/** A subscription that pays or will pay. */
type Running = StoredSubscription & { periodStart: number; periodEnd: number }

const conflict = (message: string) => new AppError('billing_conflict', message)

export function isRunning(subscription: StoredSubscription): subscription is Running {
  return subscription.periodStart !== null && subscription.periodEnd !== null
}

/** Throws `billing_conflict` for an account on the free plan. */
function requireRunning(subscription: StoredSubscription): asserts subscription is Running {
  if (!isRunning(subscription)) throw conflict('There is no paid plan. Choose one through checkout.')
}

/** Throws `billing_conflict` when there is a paid plan already. */
export function requireNotRunning(subscription: StoredSubscription): void {
  if (isRunning(subscription)) throw conflict('There is a paid plan already. Change it instead.')
}

/** An account's first paid plan begins with a trial, for which nobody asks for a card. */
export const hasTrial = (subscription: StoredSubscription) => subscription.trialEnd === null

/** Begins a paid plan. Throws `card_declined` when it has to be paid at once and cannot. */
export async function startPlan(
  ctx: Context,
  subscription: StoredSubscription,
  plan: string,
): Promise<StoredSubscription> {
  requireNotRunning(subscription)
  const now = ctx.now()
  if (!hasTrial(subscription)) return beginPaidPeriod(ctx, { ...subscription, plan, anchor: now }, now)
  const trialEnd = now + trialDays * dayMs
  return {
    ...subscription,
    plan,
    status: 'trialing',
    periodStart: now,
    periodEnd: trialEnd,
    trialEnd,
    nextStepAt: trialEnd,
  }
}

/** Like a renewal, but without payment nothing happens. */
async function beginPaidPeriod(
  ctx: Context,
  subscription: StoredSubscription & { anchor: number },
  now: number,
): Promise<StoredSubscription> {
  const charge = await chargeCard(ctx, subscription.accountId, priceOf(subscription.plan), now)
  if (!charge.paid) throw declined('payment_failed', charge.reason)
  return beginPeriod(ctx, subscription, now)
}

/** Throws `billing_conflict`, `card_declined`. */
export async function changePlan(
  ctx: Context,
  subscription: StoredSubscription,
  plan: string,
): Promise<StoredSubscription> {
  requireRunning(subscription)
  const staying = { ...subscription, cancelAtPeriodEnd: false, pendingPlan: null }
  if (plan === subscription.plan) return staying
  if (plan === freePlanId) return { ...staying, cancelAtPeriodEnd: true }
  if (subscription.status === 'past_due') {
    throw conflict('The last payment failed. Update the payment method before changing plans.')
  }
  return isUpgrade(subscription.plan, plan) ? upgrade(ctx, staying, plan) : { ...staying, pendingPlan: plan }
}

/** At once: in a trial for nothing, in the same interval on the next invoice, else in a new period that is paid now. */
async function upgrade(ctx: Context, subscription: Running, plan: string): Promise<StoredSubscription> {
  const { accountId, status, plan: from, periodStart, periodEnd } = subscription
  if (status === 'trialing') return { ...subscription, plan }
  const now = ctx.now()
  const period = { start: periodStart, end: periodEnd }
  const lines = sameInterval(from, plan)
    ? prorationLines(from, plan, period, now)
    : [{ description: `Unused time on ${nameOfPlan(from)}`, amount: -prorate(priceOf(from), period, now) }]
  await insertItems(
    ctx.db,
    accountId,
    lines.map((line) => ({ ...line, id: ctx.newId('itm') })),
  )
  if (sameInterval(from, plan)) return { ...subscription, plan }
  return beginPaidPeriod(ctx, { ...subscription, plan, anchor: now }, now)
}

/** Throws `billing_conflict` when there is nothing to cancel. */
export async function cancelPlan(
  ctx: Context,
  subscription: StoredSubscription,
  immediate: boolean,
): Promise<StoredSubscription> {
  requireRunning(subscription)
  return immediate
    ? endPlan(ctx, subscription)
    : { ...subscription, cancelAtPeriodEnd: true, pendingPlan: null }
}

/** Nothing is paid back, and nothing more is asked for. */
async function endPlan(ctx: Context, subscription: Running): Promise<StoredSubscription> {
  const { accountId } = subscription
  await takeItems(ctx.db, accountId)
  await closeOpenInvoice(ctx, accountId, 'void')
  return { ...subscription, ...ended }
}

/** Takes back a cancellation or a downgrade. Throws `billing_conflict` when there is neither. */
export function reactivatePlan(subscription: StoredSubscription): StoredSubscription {
  if (!subscription.cancelAtPeriodEnd && subscription.pendingPlan === null) {
    throw conflict('The subscription is not set to end.')
  }
  return { ...subscription, cancelAtPeriodEnd: false, pendingPlan: null }
}
