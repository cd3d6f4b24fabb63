import { Button } from '@mantine/core'
import { IconArrowRight, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { emptySummary, useAnalytics } from '../../features/analytics/analytics.queries.ts'
import { CurrentUsage } from '../../features/analytics/current-usage.tsx'
import { QuickActions } from '../../features/analytics/quick-actions.tsx'
import { RecentActivity } from '../../features/analytics/recent-activity.tsx'
import { RecentEntities } from '../../features/analytics/recent-entities.tsx'
import { StatCards } from '../../features/analytics/stat-cards.tsx'
import { UsageBreakdown } from '../../features/analytics/usage-breakdown.tsx'
import { ClaimNotice } from '../../features/auth/claim-notice.tsx'
import { readCheckoutReturn } from '../../features/billing/checkout.ts'
import { CheckoutNotice } from '../../features/billing/checkout-notice.tsx'
import { DashboardPlanNotice } from '../../features/billing/dashboard-plan-notice.tsx'
import { LearnedLately } from '../../features/memory/learned-lately.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { isCharging } from '../../lib/server-facts.ts'
import { useUser } from '../../lib/session.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './dashboard-page.module.css'
import { FirstRun } from './first-run.tsx'

const route = getRouteApi('/app/dashboard')

export function DashboardPage() {
  const navigate = route.useNavigate()
  const result = readCheckoutReturn(route.useSearch())
  const { data, error, isFetching } = useAnalytics()
  const client = useQueryClient()
  const user = useUser()
  const refresh = () => void client.invalidateQueries({ queryKey: queryKeys.analytics })
  const summary = data ?? emptySummary
  return (
    <Page
      title="Knowledge Graph Dashboard"
      subtitle="Monitor your AI memory platform activity and insights"
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={isFetching && data !== undefined}
          onClick={refresh}
        >
          Refresh
        </Button>
      }
    >
      <ClaimNotice />
      {isCharging && <DashboardPlanNotice />}
      <CheckoutNotice
        result={result}
        onDismiss={() => void navigate({ to: '/dashboard', search: {}, replace: true, resetScroll: false })}
      />
      {!data && !error ? (
        <LoadingText>Loading dashboard...</LoadingText>
      ) : (
        <>
          {error && <ErrorAlert message="Failed to load dashboard data" onRetry={refresh} />}
          {user?.apiKey && data && (
            <FirstRun apiKey={user.apiKey} accountId={user.accountId} summary={data} />
          )}
          <StatCards summary={summary} />
          <div className={classes.columns}>
            <div className={classes.column}>
              <LearnedLately />
              <RecentEntities entities={summary.recentEntities} />
              <RecentActivity days={summary.activityStats} />
            </div>
            <div className={classes.column}>
              <QuickActions />
              <CurrentUsage summary={summary} />
              <Section title="Usage Overview" description="Operations this month">
                <UsageBreakdown counts={summary.monthlyUsage} />
                <Button
                  component={Link}
                  to="/billing"
                  variant="default"
                  fullWidth
                  mt="md"
                  rightSection={<IconArrowRight size={16} />}
                >
                  View Full Billing Details
                </Button>
              </Section>
            </div>
          </div>
        </>
      )}
    </Page>
  )
}
