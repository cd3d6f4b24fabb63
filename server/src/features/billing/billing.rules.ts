import { basePlanId, findPlan, freePlanId, isAnnualPlanId } from '@loci/contract/plans'
import { dayMs } from '../../lib/time.ts'

/** A span of time, milliseconds; `end` is not in it. */
export type Period = { start: number; end: number }
/** One line of an invoice, cents. */
export type InvoiceLine = { description: string; amount: number }

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

/** The part of a price for what is left of a period, whole cents. */
export function prorate(price: number, period: Period, at: number): number {
  const left = Math.min(Math.max(period.end - at, 0), period.end - period.start)
  return Math.round((price * left) / (period.end - period.start))
}

/** What changes hands when a plan is exchanged for another of the same interval in the middle of a period. */
export function prorationLines(from: string, to: string, period: Period, at: number): InvoiceLine[] {
  return [
    {
      description: `Unused time on ${nameOfPlan(from)}`,
      amount: -prorate(priceOf(from), period, at),
    },
    {
      description: `Remaining time on ${nameOfPlan(to)}`,
      amount: prorate(priceOf(to), period, at),
    },
  ]
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

/** Splits lines into what is to be paid and the credit that is left for the next invoice, both at least 0. */
export function settleLines(lines: readonly InvoiceLine[]): { amount: number; credit: number } {
  const sum = lines.reduce((total, line) => total + line.amount, 0)
  return { amount: Math.max(sum, 0), credit: Math.max(-sum, 0) }
}
