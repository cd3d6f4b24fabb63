import { trialDays } from '@loci/contract/billing'
import { AppError } from '../../../ground/errors/app-error.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { draftInvoice, periodEndAfter, planLine, toWholeSeconds } from '../billing.rules.ts'
import type { PreviewedChange } from '../gateway.ts'
import { nextCharge, type PlanChange, planChange, type Running } from '../plan-change.rules.ts'
import type { StoredSubscription } from '../subscriptions.repo.ts'
import { chargeInvoice } from './invoicing.ts'
import { holdUpgrade, lapseUpgrade } from './pending-upgrade.ts'
import { closeOpenInvoice, endSubscription } from './subscription-steps.ts'

const conflict = (message: string) => new AppError('billing_conflict', message)

export function isRunning(subscription: StoredSubscription): subscription is Running {
  return subscription.periodStart !== null && subscription.periodEnd !== null
}

/** Throws `billing_conflict` for an account on the free plan. */
function requireRunning(subscription: StoredSubscription): asserts subscription is Running {
  requireOurs(subscription)
  if (!isRunning(subscription)) throw conflict('There is no paid plan. Choose one through checkout.')
}

/** Throws `billing_conflict` if there is a paid plan already. */
export function requireNotRunning(subscription: StoredSubscription): void {
  requireOurs(subscription)
  if (isRunning(subscription)) throw conflict('There is a paid plan already. Change it instead.')
}

/** Subscriptions at Stripe are not ours to change: Stripe would not learn of it. */
function requireOurs({ subscriptionId }: StoredSubscription): void {
  if (subscriptionId === null) return
  throw conflict('This account pays through Stripe, which is not set up on this server. Nothing was changed.')
}

/** An account's first paid plan begins with a trial that requires no card. */
export const hasTrial = (subscription: StoredSubscription) => subscription.trialEnd === null

/** Begins a paid plan. Throws `card_declined` if it has to be paid immediately and cannot be. */
export async function startPlan(
  ctx: Context,
  subscription: StoredSubscription,
  plan: string,
): Promise<StoredSubscription> {
  requireNotRunning(subscription)
  const now = toWholeSeconds(ctx.now())
  if (!hasTrial(subscription)) return startPaidPlan(ctx, subscription, plan, now)
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

/** Like a renewal, but nothing happens without payment. */
async function startPaidPlan(
  ctx: Context,
  subscription: StoredSubscription,
  plan: string,
  now: number,
): Promise<StoredSubscription> {
  const periodEnd = periodEndAfter(now, now, plan)
  const line = planLine(plan, { start: now, end: periodEnd })
  // At a checkout page the bank's question has been answered.
  const paid = await chargeInvoice(ctx, subscription, [line], now, 'present')
  return { ...paid, plan, status: 'active', anchor: now, periodStart: now, periodEnd, nextStepAt: periodEnd }
}

/** What `changePlan` would do and charge now, by the same rules. Throws `billing_conflict`. */
export async function previewSandboxChange(
  ctx: Context,
  subscription: StoredSubscription,
  plan: string,
): Promise<PreviewedChange> {
  const { after, lines, effectiveAt } = requireChange(subscription, plan, toWholeSeconds(ctx.now()))
  if (lines.length === 0) {
    return { now: 0, lines, next: nextCharge(after, subscription.credit), effectiveAt }
  }
  const draft = draftInvoice(lines, subscription.credit)
  return { now: draft.due, lines: draft.lines, next: nextCharge(after, draft.credit), effectiveAt }
}

/** `previewedAt`: the time of a preview whose amounts are charged. Throws `billing_conflict`, `card_declined`. */
export async function changeSandboxPlan(
  ctx: Context,
  subscription: StoredSubscription,
  plan: string,
  previewedAt?: number,
): Promise<StoredSubscription> {
  const now = toWholeSeconds(ctx.now())
  const current = await lapseUpgrade(ctx, subscription)
  const { after, lines, effectiveAt } = requireChange(current, plan, previewedAt ?? now)
  if (lines.length === 0) return after
  requireRunning(current)
  const held = await holdUpgrade(ctx, current, { plan, at: effectiveAt }, now)
  return held ?? chargeInvoice(ctx, after, lines, now)
}

function requireChange(subscription: StoredSubscription, plan: string, at: number): PlanChange {
  requireRunning(subscription)
  const change = planChange(subscription, plan, Math.max(at, subscription.periodStart))
  if (change.after.plan !== subscription.plan || change.after.pendingPlan !== null) requirePaid(subscription)
  return change
}

function requirePaid({ status }: Running): void {
  if (status === 'past_due') {
    throw conflict('The last payment failed. Update the payment method before changing plans.')
  }
}

/** Throws `billing_conflict` if there is nothing to cancel. */
export async function cancelPlan(
  ctx: Context,
  subscription: StoredSubscription,
  immediate: boolean,
): Promise<StoredSubscription> {
  requireRunning(subscription)
  return immediate
    ? endPlan(ctx, subscription)
    : { ...(await lapseUpgrade(ctx, subscription)), cancelAtPeriodEnd: true, pendingPlan: null }
}

/** Nothing is refunded, and an unpaid period is no longer collected. */
async function endPlan(ctx: Context, subscription: Running): Promise<StoredSubscription> {
  await closeOpenInvoice(ctx, subscription.accountId, 'void')
  return endSubscription(ctx, subscription, toWholeSeconds(ctx.now()), 'cancelled')
}

/** Undoes a cancellation or a downgrade. Throws `billing_conflict` if there is neither. */
export async function reactivatePlan(
  ctx: Context,
  subscription: StoredSubscription,
): Promise<StoredSubscription> {
  requireOurs(subscription)
  if (!subscription.cancelAtPeriodEnd && subscription.pendingPlan === null) {
    throw conflict('The subscription is not set to end.')
  }
  return { ...(await lapseUpgrade(ctx, subscription)), cancelAtPeriodEnd: false, pendingPlan: null }
}
