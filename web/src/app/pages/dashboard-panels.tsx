import type { AnalyticsSummary } from '@loci/contract/analytics'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useAgents } from '../../features/agents/agents.queries.ts'
import { CurrentUsage } from '../../features/analytics/current-usage.tsx'
import { QuickActions } from '../../features/analytics/quick-actions.tsx'
import { RecentActivity } from '../../features/analytics/recent-activity.tsx'
import { RecentEntities } from '../../features/analytics/recent-entities.tsx'
import { UsageBreakdown } from '../../features/analytics/usage-breakdown.tsx'
import { LatestConversations } from '../../features/conversations/latest-conversations.tsx'
import { LastRecall } from '../../features/memory/last-recall.tsx'
import { LearnedLately } from '../../features/memory/learned-lately.tsx'
import { MemoryPlan } from '../../features/memory/memory-plan.tsx'
import { Frame, Panel } from '../../ui/frame.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import rows from '../../ui/rows.module.css'
import classes from './dashboard-page.module.css'

type DashboardPanelsProps = {
  summary: AnalyticsSummary
  /** The guide above already shows the plan. */
  isNew: boolean
  /** Set if the summary failed to load. */
  onRetry: (() => void) | undefined
}

export function DashboardPanels({ summary, isNew, onRetry }: DashboardPanelsProps) {
  const { data } = useAgents()
  const learned = (
    <LearnedLately
      today={summary.createdToday.observations}
      agents={data?.agents.map(({ name }) => name) ?? []}
    />
  )
  if (isNew) {
    return (
      <Frame className={classes.small}>
        {learned}
        <RecentEntities {...summary} onRetry={onRetry} />
        <CurrentUsage summary={summary} />
        <RecentActivity days={summary.activityStats} onRetry={onRetry} />
        <QuickActions />
        <UsageOverview summary={summary} />
      </Frame>
    )
  }
  return (
    <Frame className={classes.memory}>
      <div className={classes.column}>{learned}</div>
      <div className={`${classes.column} ${classes.filled}`}>
        <YourMemory summary={summary} onRetry={onRetry} />
        <RecentEntities {...summary} onRetry={onRetry} />
      </div>
      <div className={classes.column}>
        <QuickActions />
        <LatestConversations />
        <CurrentUsage summary={summary} />
        <UsageOverview summary={summary} />
      </div>
      <div className={classes.foot}>
        <RecentActivity days={summary.activityStats} onRetry={onRetry} />
      </div>
    </Frame>
  )
}

type YourMemoryProps = Pick<DashboardPanelsProps, 'summary' | 'onRetry'>

function YourMemory({ summary: { entityTypeStats, lastRecall, recentEntities }, onRetry }: YourMemoryProps) {
  return (
    <Panel
      title="Your memory"
      flush
      className={classes.growing}
      aside={
        <Link to="/graph" className={rows.more}>
          View Graph
        </Link>
      }
    >
      {onRetry ? (
        <NotLoaded onRetry={onRetry} />
      ) : (
        <div className={classes.plan}>
          <MemoryPlan types={entityTypeStats} recalled={lastRecall?.entities ?? []} named={recentEntities} />
        </div>
      )}
      {lastRecall && <LastRecall recall={lastRecall} />}
    </Panel>
  )
}

const UsageOverview = ({ summary }: { summary: AnalyticsSummary }) => (
  <Panel title="Usage Overview" description="Operations this month">
    <div className={classes.overview}>
      <UsageBreakdown counts={summary.monthlyUsage} />
      <Button renderRoot={(props) => <Link {...props} to="/billing" />} variant="default" fullWidth size="xs">
        View Full Billing Details
      </Button>
    </div>
  </Panel>
)
