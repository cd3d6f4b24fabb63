import { basePlanId, findPlan, unlimited } from '@loci/contract/plans'
import { formatNumber } from '../../lib/format.ts'

const warningPercent = 80
const criticalPercent = 95

export function percentOf(used: number, limit: number): number {
  if (limit === unlimited) return 0
  return limit === 0 ? (used > 0 ? 101 : 0) : (used / limit) * 100
}

/** `420 of 1,000`, or `420, unlimited`. */
export function usedOf(used: number, limit: number, format = formatNumber): string {
  return limit === unlimited ? `${format(used)}, unlimited` : `${format(used)} of ${format(limit)}`
}

/** How close the number of entities is to the plan's limit. */
export function usageLevel(percent: number): 'fine' | 'approaching' | 'exceeded' {
  if (percent >= criticalPercent) return 'exceeded'
  return percent >= warningPercent ? 'approaching' : 'fine'
}

const nextPlans: Record<string, string> = {
  free: 'Starter ($10/month)',
  starter: 'Pro ($20/month)',
  pro: 'Team Pro ($60/month)',
}

/** The next larger plan. */
export function nextPlanAfter(planId: string): string {
  return nextPlans[basePlanId(planId)] ?? 'Enterprise (contact sales)'
}

export function planName(planId: string): string {
  return findPlan(planId)?.name ?? 'Free'
}
