import type { AnalyticsSummary } from '@loci/contract/analytics'
import { Badge } from '@mantine/core'
import { formatDayShort, formatNumber } from '../../lib/format.ts'
import { useConnectionStatus } from '../../lib/live.ts'
import { Panel } from '../../ui/frame.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import classes from './recent-activity.module.css'

const daysShown = 7

type RecentActivityProps = {
  days: AnalyticsSummary['activityStats']
  /** Set if the activity failed to load. */
  onRetry: (() => void) | undefined
}

/** Entities created per day: a strip of up to seven days, ending with the newest. */
export function RecentActivity({ days, onRetry }: RecentActivityProps) {
  const live = useConnectionStatus() === 'connected'
  const shown = days.slice(0, daysShown).toReversed()
  const most = Math.max(1, ...shown.map(({ count }) => count))
  return (
    <div className={classes.box}>
      <Panel
        title="Recent Activity"
        flush
        className={classes.panel}
        aside={<Badge color={live ? 'green' : 'gray'}>{live ? 'Live' : 'Paused'}</Badge>}
      >
        {onRetry ? (
          <NotLoaded onRetry={onRetry} />
        ) : shown.length === 0 ? (
          <p className={classes.none}>No recent activity</p>
        ) : (
          <ul className={classes.days}>
            {shown.map(({ date, count }) => (
              <li key={date} className={classes.day}>
                <span className={classes.track} aria-hidden>
                  <span className={classes.bar} style={{ height: `${(count / most) * 100}%` }} />
                </span>
                <span className={classes.text}>
                  <span>{formatNumber(count)} entities created</span>
                  <time dateTime={date} className={classes.date}>
                    {formatDayShort(date)}
                  </time>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  )
}
