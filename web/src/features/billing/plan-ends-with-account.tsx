import { useSubscription } from './billing.queries.ts'
import { nameOfPlan } from './billing.rules.ts'

/** What deleting the account does to its plan. */
export function PlanEndsWithAccount() {
  const { data: subscription } = useSubscription()
  if (!subscription || subscription.currentPeriodEnd === null) return null
  const name = nameOfPlan(subscription.plan)
  return subscription.status === 'trialing' ? (
    <>Your {name} trial ends now.</>
  ) : (
    <>Your {name} plan ends now, and nothing is refunded.</>
  )
}
