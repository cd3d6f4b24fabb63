import type { AnalyticsSummary } from '@loci/contract/analytics'
import { IconActivity, IconArrowsLeftRight, IconFileText, IconStack2 } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { Frame } from '../../ui/frame.tsx'
import classes from './stat-cards.module.css'

export function StatCards({ summary }: { summary: AnalyticsSummary }) {
  const { createdToday, monthlyUsage } = summary
  const stats = [
    {
      label: 'Total Entities',
      value: summary.totalEntities,
      icon: IconStack2,
      note: todayNote(createdToday.entities),
    },
    {
      label: 'Relations',
      value: summary.totalRelations,
      icon: IconArrowsLeftRight,
      note: todayNote(createdToday.relations),
    },
    {
      label: 'Observations',
      value: summary.totalObservations,
      icon: IconFileText,
      note: todayNote(createdToday.observations),
    },
    {
      label: 'API Calls Today',
      value: summary.todayApiCalls,
      icon: IconActivity,
      note: monthlyUsage.total > 0 && `${formatNumber(monthlyUsage.total)} this month`,
    },
  ]
  return (
    <Frame className={classes.cards}>
      {stats.map(({ label, value, icon: Icon, note }) => (
        <div key={label} className={classes.card}>
          <span className={classes.label}>
            <Icon size={15} stroke={1.75} aria-hidden />
            {label}
          </span>
          <span className={classes.line}>
            <span className={classes.value}>{formatNumber(value)}</span>
            {note && <span className={classes.note}>{note}</span>}
          </span>
        </div>
      ))}
    </Frame>
  )
}

const todayNote = (count: number) => count > 0 && `+${formatNumber(count)} today`
