import type { AnalyticsSummary } from '@loci/contract/analytics'
import { Badge } from '@mantine/core'
import { formatDay, formatNumber } from '../../lib/format.ts'
import { useConnectionStatus } from '../../lib/live.ts'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import classes from './recent-activity.module.css'

const daysShown = 7

/** Entities created a day, newest first. */
export function RecentActivity({ days }: { days: AnalyticsSummary['activityStats'] }) {
  const live = useConnectionStatus() === 'connected'
  const shown = days.slice(0, daysShown)
  const most = Math.max(1, ...shown.map(({ count }) => count))
  return (
    <Section
      title="Recent Activity"
      flush
      aside={
        <Badge color={live ? 'green' : 'gray'} className={classes.badge}>
          {live ? 'Live' : 'Paused'}
        </Badge>
      }
    >
      {shown.length === 0 ? (
        <p className={rows.none}>No recent activity</p>
      ) : (
        <ul className={rows.list}>
          {shown.map(({ date, count }) => (
            <li key={date} className={rows.row}>
              <span className={classes.text}>{formatNumber(count)} entities created</span>
              <span className={classes.track} aria-hidden>
                <span className={classes.bar} style={{ width: `${(count / most) * 100}%` }} />
              </span>
              <span className={rows.dim}>
                <time dateTime={date}>{formatDay(date)}</time>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
