import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { emptySummary, useAnalytics } from '../../features/analytics/analytics.queries.ts'
import { StatCards } from '../../features/analytics/stat-cards.tsx'
import { ClaimNotice } from '../../features/auth/claim-notice.tsx'
import { readCheckoutReturn } from '../../features/billing/checkout.ts'
import { CheckoutNotice } from '../../features/billing/checkout-notice.tsx'
import { DashboardPlanNotice } from '../../features/billing/dashboard-plan-notice.tsx'
import { useBrief } from '../../features/briefs/briefs.queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { isCharging } from '../../lib/server-facts.ts'
import { useUser } from '../../lib/session.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Page } from '../../ui/page.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { BriefFrame } from './brief-frame.tsx'
import { DashboardPanels, LearnedByAgents } from './dashboard-panels.tsx'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { FirstRun, useFirstRun } from './first-run.tsx'

const route = getRouteApi('/app/dashboard')

export function DashboardPage() {
  const navigate = route.useNavigate()
  const result = readCheckoutReturn(route.useSearch())
  const { data, error, isFetching } = useAnalytics()
  const client = useQueryClient()
  const user = useUser()
  const refresh = () => {
    for (const queryKey of [queryKeys.analytics(), queryKeys.brief(), queryKeys.recalls()])
      void client.invalidateQueries({ queryKey })
  }
  const summary = data ?? emptySummary
  const guide = useFirstRun(user?.accountId, summary)
  const isNew = guide.isShown && data !== undefined
  const { data: brief } = useBrief({ enabled: data !== undefined && !isNew })
  const hasBrief = !isNew && brief?.since !== null
  return (
    <Page
      title="Knowledge Graph Dashboard"
      subtitle="Monitor your AI memory platform activity and insights"
      actions={<RefreshButton loading={isFetching && data !== undefined} onClick={refresh} />}
    >
      <ClaimNotice />
      {isCharging && <DashboardPlanNotice />}
      <CheckoutNotice
        result={result}
        onDismiss={() => void navigate({ to: '/dashboard', search: {}, replace: true, resetScroll: false })}
      />
      {!data && !error ? (
        <DashboardSkeleton />
      ) : (
        <>
          {error && <ErrorAlert message="Failed to load dashboard data" onRetry={refresh} />}
          {isNew ? (
            <FirstRun summary={summary} guide={guide} />
          ) : (
            <BriefFrame learned={<LearnedByAgents today={summary.createdToday.observations} />} />
          )}
          <StatCards summary={summary} />
          <DashboardPanels
            summary={summary}
            isNew={isNew}
            hasBrief={hasBrief}
            onRetry={data === undefined ? refresh : undefined}
          />
        </>
      )}
    </Page>
  )
}
