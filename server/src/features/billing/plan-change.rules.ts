import { freePlanId } from '@loci/contract/plans'
import {
  draftInvoice,
  type InvoiceLine,
  isUpgrade,
  periodEndAfter,
  planLine,
  priceOf,
  remainingLine,
  sameInterval,
  unusedLine,
} from './billing.rules.ts'
import type { StoredSubscription } from './subscriptions.repo.ts'

/** A subscription that is or will be paid for. */
export type Running = StoredSubscription & { periodStart: number; periodEnd: number }

export type PlanChange = {
  /** The subscription after the amount due is paid. */
  after: Running
  /** The lines invoiced immediately; empty for a change that waits. */
  lines: InvoiceLine[]
  /** When the plan changes. */
  effectiveAt: number
}

/**
 * What choosing a plan means at a given time: larger plans and longer intervals begin and are charged then, all others
 * wait for the end of the period, and choosing the current plan undoes planned changes.
 */
export function planChange(subscription: Running, plan: string, at: number): PlanChange {
  const { plan: from, periodEnd } = subscription
  const staying = { ...subscription, cancelAtPeriodEnd: false, pendingPlan: null }
  const later = { lines: [], effectiveAt: periodEnd }
  if (plan === from) return { after: staying, lines: [], effectiveAt: at }
  if (plan === freePlanId) return { after: { ...staying, cancelAtPeriodEnd: true }, ...later }
  return isUpgrade(from, plan)
    ? upgrade(staying, plan, at)
    : { after: { ...staying, pendingPlan: plan }, ...later }
}

/** Free during a trial. A new interval begins a new period. */
function upgrade(staying: Running, plan: string, at: number): PlanChange {
  const { plan: from, status } = staying
  const period = { start: staying.periodStart, end: staying.periodEnd }
  if (status === 'trialing') return { after: { ...staying, plan }, lines: [], effectiveAt: at }
  if (sameInterval(from, plan)) {
    const lines = [unusedLine(from, period, at), remainingLine(plan, period, at)]
    return { after: { ...staying, plan }, lines, effectiveAt: at }
  }
  const end = periodEndAfter(at, at, plan)
  const after = { ...staying, plan, anchor: at, periodStart: at, periodEnd: end, nextStepAt: end }
  return { after, lines: [unusedLine(from, period, at), planLine(plan, { start: at, end })], effectiveAt: at }
}

/** What is charged when the period ends; null if nothing is. */
export function nextCharge(
  { cancelAtPeriodEnd, pendingPlan, plan, periodEnd }: Running,
  credit: number,
): { amount: number; at: number } | null {
  if (cancelAtPeriodEnd) return null
  const line = { description: '', amount: priceOf(pendingPlan ?? plan) }
  return { amount: draftInvoice([line], credit).due, at: periodEnd }
}
