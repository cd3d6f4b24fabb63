import type { AuditEvent } from '@loci/contract/audit'
import { Card } from '@mantine/core'
import type { ReactNode } from 'react'
import { deviceOf } from '../../lib/device.ts'
import { messageOf } from '../../lib/errors.ts'
import { formatTime } from '../../lib/format.ts'
import { formatDayName, formatExact } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import classes from './audit.module.css'
import { groupByDay, type useAudit } from './audit.queries.ts'
import { detailsOf, sentenceOf } from './audit-words.ts'

/** Events by day, newest first; shows `none` if there are none. */
export function AuditList({ audit, none }: { audit: ReturnType<typeof useAudit>; none: ReactNode }) {
  const events = audit.data?.pages.flatMap((page) => page.events) ?? []
  const now = useNow()
  return (
    <div className={classes.days}>
      {audit.error && !audit.isFetchNextPageError && (
        <ErrorAlert
          message={messageOf(audit.error, 'Failed to load the audit log')}
          onRetry={() => void audit.refetch()}
        />
      )}
      {audit.isPending && <LoadingText shape={<ListSkeleton />}>Loading the audit log...</LoadingText>}
      {audit.data && events.length === 0 && none}
      {groupByDay(events).map(({ day, events: ofDay }) => {
        const name = formatDayName(ofDay[0]!.at, now)
        return (
          <section key={day} aria-label={name}>
            <h2 className={classes.date}>{name}</h2>
            <Card padding={0}>
              <ul>
                {ofDay.map((event) => (
                  <EventRow key={event.id} event={event} />
                ))}
              </ul>
            </Card>
          </section>
        )
      })}
      <NextPage query={audit} failure="Failed to load older events">
        Show older events
      </NextPage>
    </div>
  )
}

function EventRow({ event }: { event: AuditEvent }) {
  const { who, verb, what } = sentenceOf(event)
  const details = detailsOf(event, (userAgent) => deviceOf(userAgent).name)
  return (
    <li className={classes.event}>
      <time className={classes.time} dateTime={event.at} title={formatExact(event.at)}>
        {formatTime(event.at)}
      </time>
      <div className={classes.sentence}>
        <span className={classes.name} title={event.actor.email ?? undefined}>
          {who}
        </span>{' '}
        {verb} {what && <span className={classes.name}>{what}</span>}
      </div>
      {details.length > 0 && <div className={classes.details}>{details.join(' · ')}</div>}
    </li>
  )
}
