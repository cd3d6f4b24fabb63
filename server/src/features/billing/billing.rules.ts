import { basePlanId, findPlan, freePlanId, isAnnualPlanId } from '@loci/contract/plans'
import { dayMs, secondMs } from '../../lib/time.ts'

/** A span of time, milliseconds; `end` is not in it. */
export type Period = { start: number; end: number }
/** One line of an invoice, cents. A line of kind `balance` moves credit and sells nothing. */
export type InvoiceLine = { description: string; amount: number; period?: Period; kind?: 'balance' }

/**
 * The same time of day `months` later, UTC. A day that the month does not have is its last one:
 * 31 January and one month is 28 or 29 February.
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
 * The first end of a period after `moment`. Ends are counted from the `anchor`, not from one another, so that a 31st
 * comes back after a shorter month.
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

/** What a plan costs for one period, cents. Plans that we do not know cost nothing. */
export function priceOf(planId: string): number {
  const plan = findPlan(planId)
  if (plan === undefined) return 0
  return isAnnualPlanId(planId) ? plan.annualPrice : plan.monthlyPrice
}

/** The part of a price for what is left of a period, to the second, rounded to whole cents (halves up). */
export function prorate(price: number, period: Period, at: number): number {
  const [start, end, moment] = [period.start, period.end, at].map(toWholeSeconds) as [number, number, number]
  const left = Math.min(Math.max(end - moment, 0), end - start)
  return Math.round((price * left) / (end - start))
}

/** The second in which a moment lies; subscriptions know none smaller. */
export function toWholeSeconds(moment: number): number {
  return Math.floor(moment / secondMs) * secondMs
}

/** What was paid for a plan and is not used up. */
export function unusedLine(plan: string, period: Period, at: number): InvoiceLine {
  const amount = 0 - prorate(priceOf(plan), period, at)
  return { description: `Unused time on ${nameOfPlan(plan)}`, amount, period: { start: at, end: period.end } }
}

/** What a plan costs for the rest of a period. */
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

/** True for a larger plan, and for the same one by the year: these begin at once, all others at the period's end. */
export function isUpgrade(from: string, to: string): boolean {
  const rankOf = (planId: string) => findPlan(planId)?.monthlyPrice ?? 0
  if (rankOf(from) !== rankOf(to)) return rankOf(to) > rankOf(from)
  return basePlanId(from) === basePlanId(to) && !isAnnualPlanId(from) && isAnnualPlanId(to)
}

/** Days from one try of a payment to the next; after the last one the account goes to the free plan. */
const retryDays = [3, 5, 7]

/** When a payment that failed `failures` times is tried again; undefined when it is not. */
export function nextTryAfter(failures: number, now: number): number | undefined {
  const days = retryDays[failures - 1]
  return days === undefined ? undefined : now + days * dayMs
}

/** When the plan ends if no try succeeds, after `failures` of them and with the next one at `nextTryAt`. */
export function endOfTries(failures: number, nextTryAt: number): number {
  return retryDays.slice(failures).reduce((end, days) => end + days * dayMs, nextTryAt)
}

/** Stripe charges no card with less; what is owed waits for the next invoice (https://docs.stripe.com/currencies). */
const smallestCharge = 50

/** An invoice before it is charged: its lines add up to `due`. */
export type InvoiceDraft = {
  lines: InvoiceLine[]
  /** Cents, at least 0. */
  due: number
  /** The account's credit afterwards, cents; below zero it owes less than the smallest charge. */
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
