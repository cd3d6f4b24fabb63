import type { PlanDefinition } from '@loci/contract/plans'

const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const dollarsAndCents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats cents as a price: `$10`, or `$8.33` if there are cents. */
export function toPrice(cents: number): string {
  return (cents % 100 === 0 ? wholeDollars : dollarsAndCents).format(cents / 100)
}

/** The monthly price of a plan that is billed yearly, in whole cents. */
export function monthOfYear(plan: PlanDefinition): number {
  return Math.round(plan.annualPrice / 12)
}

/** The saving of yearly billing in whole percent, the same for all plans on sale. */
export function annualSaving(plans: readonly PlanDefinition[]): number {
  const paid = plans.filter((plan) => plan.sold && plan.monthlyPrice > 0)
  return Math.min(...paid.map((plan) => Math.round(100 * (1 - plan.annualPrice / (12 * plan.monthlyPrice)))))
}
