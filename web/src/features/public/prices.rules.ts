import type { PlanDefinition } from '@loci/contract/plans'

const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const dollarsAndCents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Cents as a price: `$10`, or `$8.33` where cents are left. */
export function toPrice(cents: number): string {
  return (cents % 100 === 0 ? wholeDollars : dollarsAndCents).format(cents / 100)
}

/** What a month costs in a plan that is paid by the year, in whole cents. */
export function monthOfYear(plan: PlanDefinition): number {
  return Math.round(plan.annualPrice / 12)
}

/** Whole percent that a year's payment saves, the same for all plans that are sold. */
export function annualSaving(plans: readonly PlanDefinition[]): number {
  const paid = plans.filter((plan) => plan.sold && plan.monthlyPrice > 0)
  return Math.min(...paid.map((plan) => Math.round(100 * (1 - plan.annualPrice / (12 * plan.monthlyPrice)))))
}
