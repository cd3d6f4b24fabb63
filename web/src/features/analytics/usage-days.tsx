import type { UsageDaysResponse } from '@loci/contract/analytics'
import { Skeleton } from '@mantine/core'
import { countOf, formatDay, formatNumber } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { useUsageDays } from './analytics.queries.ts'
import classes from './usage-days.module.css'

type Day = UsageDaysResponse['days'][number]

/** The operations of the last days, a bar a day. */
export function UsageDays() {
  const days = useUsageDays()
  return (
    <Loaded query={days} failure="Failed to load usage by day" waiting={<Skeleton height={150} />}>
      {(data) => (
        <Section title="Operations by day" description={describe(data)}>
          {data.length > 0 && <Bars days={data} />}
        </Section>
      )}
    </Loaded>
  )
}

function describe(days: readonly Day[]): string {
  if (days.length === 0) return 'None yet'
  const busiest = busiestOf(days)
  const span = days.length === 1 ? 'day' : `${days.length} days`
  if (busiest.total === 0) return `None in the last ${span}`
  return `Last ${span}. Most on ${nameOf(busiest)}: ${formatNumber(busiest.total)}`
}

const busiestOf = (days: readonly Day[]) =>
  days.reduce((most, day) => (day.total > most.total ? day : most), days[0]!)

const nameOf = ({ day }: Day) => formatDay(`${day}T00:00:00.000Z`)

function Bars({ days }: { days: readonly Day[] }) {
  const max = Math.max(1, busiestOf(days).total)
  return (
    <>
      <ol className={classes.bars}>
        {days.map((day) => (
          <li key={day.day} title={`${nameOf(day)}: ${countOf(day.total, 'operation', 'operations')}`}>
            <span className={classes.bar} style={{ height: `${(day.total / max) * 100}%` }} />
            <span className="loci-unseen">
              {nameOf(day)}: {countOf(day.total, 'operation', 'operations')}
            </span>
          </li>
        ))}
      </ol>
      <p className={classes.ends} aria-hidden>
        <span>{nameOf(days[0]!)}</span>
        <span>{nameOf(days.at(-1)!)} (UTC)</span>
      </p>
    </>
  )
}
