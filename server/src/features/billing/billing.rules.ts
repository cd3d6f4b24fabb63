import { basePlanId, findPlan, freePlanId, isAnnualPlanId } from '@loci/contract/plans'
import { dayMs, secondMs } from '../../ground/lib/time.ts'

/** A span of time, milliseconds; `end` is exclusive. */
export type Period = { start: number; end: number }
/** One invoice line, cents. A line of kind `balance` moves credit and sells nothing. */
export type InvoiceLine = { description: string; amount: number; period?: Period; kind?: 'balance' }

/**
 * The same time of day `months` later, UTC. A day that the month lacks becomes its last day: 31 January plus one month
 * is 28 or 29 February.
 */
export function addMonths(moment: number, months: number): number {
  const date = new Date(moment)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + months
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const firstOfMonth = Date.UTC(year, month, 1)
  const timeOfDay = moment - Date.UTC(year, date.getUTCMonth(), date.getUTCDate())
  return firstOfMonth + (Math.min(date.getUTCDate(), daysInMonth) - 1) * dayMs + timeOfDay
}

const monthsOf = (planId: string) => (isAnnualPlanId(planId) ? 12 : 1)

/**
 * The first period end after `moment`. Ends are counted from the `anchor`, not from one another, so a 31st returns
 * after a shorter month.
 */
export function periodEndAfter(anchor: number, moment: number, planId: string): number {
  const step = monthsOf(planId)
  const monthsApart =
    (new Date(moment).getUTCFullYear() - new Date(anchor).getUTCFullYear()) * 12 +
    new Date(moment).getUTCMonth() -
    new Date(anchor).getUTCMonth()
  let count = Math.max(0, Math.floor(monthsApart / step))
  while (addMonths(anchor, count * step) <= moment) count++
  return addMonths(anchor, count * step)
}

/** The price of a plan for one period, cents; 0 for unknown plans. */
export function priceOf(planId: string): number {
  const plan = findPlan(planId)
  if (plan === undefined) return 0
  return isAnnualPlanId(planId) ? plan.annualPrice : plan.monthlyPrice
}

/** The share of a price for the rest of a period, to the second, rounded to whole cents (halves up). */
export function prorate(price: number, period: Period, at: number): number {
  const [start, end, moment] = [period.start, period.end, at].map(toWholeSeconds) as [number, number, number]
  const left = Math.min(Math.max(end - moment, 0), end - start)
  return Math.round((price * left) / (end - start))
}

/** PeriodicWork down to whole seconds, the resolution of subscriptions. */
export function toWholeSeconds(moment: number): number {
  return Math.floor(moment / secondMs) * secondMs
}

/** The unused part of what was paid for a plan. */
export function unusedLine(plan: string, period: Period, at: number): InvoiceLine {
  const amount = 0 - prorate(priceOf(plan), period, at)
  return { description: `Unused time on ${nameOfPlan(plan)}`, amount, period: { start: at, end: period.end } }
}

/** The price of a plan for the rest of a period. */
export function remainingLine(plan: string, period: Period, at: number): InvoiceLine {
  const amount = prorate(priceOf(plan), period, at)
  return {
    description: `Remaining time on ${nameOfPlan(plan)}`,
    amount,
    period: { start: at, end: period.end },
  }
}

/** A plan for a whole period. */
export function planLine(plan: string, period: Period): InvoiceLine {
  return { description: nameOfPlan(plan), amount: priceOf(plan), period }
}

/** `Pro (yearly)`. */
export function nameOfPlan(planId: string): string {
  const name = findPlan(planId)?.name ?? planId
  if (planId === freePlanId) return name
  return `${name} (${isAnnualPlanId(planId) ? 'yearly' : 'monthly'})`
}

export const sameInterval = (a: string, b: string) => isAnnualPlanId(a) === isAnnualPlanId(b)

/**
 * True for a larger plan, and for the yearly interval of the same one: these begin immediately, all others at the
 * period's end.
 */
export function isUpgrade(from: string, to: string): boolean {
  const rankOf = (planId: string) => findPlan(planId)?.monthlyPrice ?? 0
  if (rankOf(from) !== rankOf(to)) return rankOf(to) > rankOf(from)
  return basePlanId(from) === basePlanId(to) && !isAnnualPlanId(from) && isAnnualPlanId(to)
}

/** Days from one payment attempt to the next; after the last one the account moves to the free plan. */
const retryDays = [3, 5, 7]

/** When a payment that failed `failures` times is retried; undefined if it is not. */
export function nextTryAfter(failures: number, now: number): number | undefined {
  const days = retryDays[failures - 1]
  return days === undefined ? undefined : now + days * dayMs
}

/** When the plan ends if no retry succeeds, after `failures` attempts and with the next one at `nextTryAt`. */
export function endOfTries(failures: number, nextTryAt: number): number {
  return retryDays.slice(failures).reduce((end, days) => end + days * dayMs, nextTryAt)
}

/** Stripe charges no card for less; the rest waits for the next invoice (https://docs.stripe.com/currencies). */
const smallestCharge = 50

/** An invoice before it is charged: its lines add up to `due`. */
export type InvoiceDraft = {
  lines: InvoiceLine[]
  /** Cents, at least 0. */
  due: number
  /** The account's credit afterwards, cents; if negative, it owes less than the smallest charge. */
  credit: number
}

/** Sets lines off against the account's credit, as Stripe does with a customer's balance. */
export function draftInvoice(lines: readonly InvoiceLine[], credit: number): InvoiceDraft {
  const owed = lines.reduce((sum, line) => sum + line.amount, 0) - credit
  const due = owed < smallestCharge ? 0 : owed
  const after = due === 0 ? 0 - owed : 0
  return { lines: [...lines, ...creditLines(credit, after)], due, credit: after }
}

function creditLines(before: number, after: number): InvoiceLine[] {
  const amount = after - before
  if (amount === 0) return []
  if (amount > 0) {
    return [
      { kind: 'balance', description: before < 0 ? 'Carried over from before' : 'Kept as credit', amount },
    ]
  }
  const description = after < 0 ? 'Carried over to the next invoice' : 'Paid from credit'
  return [{ kind: 'balance', description, amount }]
}
