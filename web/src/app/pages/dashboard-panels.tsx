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
  /** What was learned is told above. */
  hasBrief: boolean
  /** Set if the summary failed to load. */
  onRetry: (() => void) | undefined
}

export function DashboardPanels({ summary, isNew, hasBrief, onRetry }: DashboardPanelsProps) {
  const learned = <LearnedByAgents today={summary.createdToday.observations} />
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
  const memory = <YourMemory summary={summary} onRetry={onRetry} />
  const entities = <RecentEntities {...summary} onRetry={onRetry} />
  const usage = <UsageOverview summary={summary} />
  return (
    <Frame className={classes.memory}>
      <div className={`${classes.column} ${hasBrief ? classes.filled : ''}`}>
        {hasBrief ? memory : learned}
      </div>
      <div className={`${classes.column} ${classes.filled}`}>
        {!hasBrief && memory}
        {entities}
        {hasBrief && usage}
      </div>
      <div className={classes.column}>
        <QuickActions />
        <LatestConversations />
        <CurrentUsage summary={summary} />
        {!hasBrief && usage}
      </div>
      <div className={classes.foot}>
        <RecentActivity days={summary.activityStats} onRetry={onRetry} />
      </div>
    </Frame>
  )
}

/** What was learned lately, with a choice of the agents that have called. */
export function LearnedByAgents({ today }: { today: number }) {
  const { data } = useAgents()
  return <LearnedLately today={today} agents={data?.agents.map(({ name }) => name) ?? []} />
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
