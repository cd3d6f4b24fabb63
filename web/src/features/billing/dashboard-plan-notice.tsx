import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../lib/rights.ts'
import { usePaymentMethods, useSubscription } from './billing.queries.ts'
import { isRecentEnd } from './billing.rules.ts'
import { PlanNotice } from './plan-notice.tsx'

/** The billing screen's notice, repeated on the dashboard for owners who do not visit that screen. */
export function DashboardPlanNotice() {
  return useMay('billing:manage') ? <Notice /> : null
}

function Notice() {
  const { data: subscription } = useSubscription()
  const { data: cards } = usePaymentMethods()
  if (subscription === undefined || cards === undefined) return null
  if (subscription.ended !== null && !isRecentEnd(subscription.ended.at, Date.now())) return null
  return (
    <PlanNotice subscription={subscription} hasCard={cards.length > 0}>
      <Anchor component={Link} to="/billing" inherit c="inherit" underline="always">
        Go to billing
      </Anchor>
    </PlanNotice>
  )
}
