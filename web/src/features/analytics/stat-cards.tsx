import type { AnalyticsSummary } from '@loci/contract/analytics'
import { Card, SimpleGrid } from '@mantine/core'
import { IconActivity, IconArrowsLeftRight, IconFileText, IconStack2 } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import classes from './stat-cards.module.css'

export function StatCards({ summary }: { summary: AnalyticsSummary }) {
  const stats = [
    { label: 'Total Entities', value: summary.totalEntities, icon: IconStack2 },
    { label: 'Relations', value: summary.totalRelations, icon: IconArrowsLeftRight },
    { label: 'Observations', value: summary.totalObservations, icon: IconFileText },
    { label: 'API Calls Today', value: summary.todayApiCalls, icon: IconActivity },
  ]
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={12}>
      {stats.map(({ label, value, icon: Icon }) => (
        <Card key={label} padding="md" className={classes.card}>
          <span className={classes.label}>
            <Icon size={15} aria-hidden />
            {label}
          </span>
          <span className={classes.value}>{formatNumber(value)}</span>
        </Card>
      ))}
    </SimpleGrid>
  )
}
