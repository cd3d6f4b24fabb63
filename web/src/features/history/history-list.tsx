import { Skeleton } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import type { HistoryFilter } from '../../lib/filters.ts'
import { countOf } from '../../lib/format.ts'
import { formatDayName } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { CallCard } from './call-card.tsx'
import { groupCalls, groupDays } from './group-calls.ts'
import { changesOf, type useHistory } from './history.queries.ts'
import classes from './history-list.module.css'

type ListProps = {
  history: ReturnType<typeof useHistory>
  /** The entity whose history this is. */
  entityId?: string | undefined
  /** Whether the filter can leave out some changes of a call. */
  picksFromCalls?: boolean
  /** Shown if nothing changed. */
  none: ReactNode
  onFilter: (part: Partial<HistoryFilter>) => void
}

/** Changes by day and call, newest first. */
export function HistoryList({
  history,
  entityId,
  picksFromCalls = entityId !== undefined,
  none,
  onFilter,
}: ListProps) {
  const changes = useMemo(() => changesOf(history.data), [history.data])
  const days = useMemo(() => groupDays(groupCalls(changes)), [changes])
  const now = useNow()
  return (
    <>
      {history.error && !history.isFetchNextPageError && (
        <ErrorAlert message="Failed to load the history" onRetry={() => void history.refetch()} />
      )}
      {history.isPending && <Waiting />}
      {history.data && changes.length === 0 && !history.hasNextPage && none}
      {days.map(({ day, calls }, index) => {
        const name = formatDayName(calls[0]!.at, now)
        const count = calls.reduce((sum, call) => sum + call.changes.length, 0)
        // The oldest day can have changes that are not loaded yet.
        const isWhole = index < days.length - 1 || !history.hasNextPage
        return (
          <section key={day} className={classes.day} aria-label={name}>
            <div className={classes.head}>
              <h2 className={classes.date}>{name}</h2>
              {isWhole && (
                <span className={classes.count}>
                  {countOf(count, 'change', 'changes')} in {countOf(calls.length, 'call', 'calls')}
                </span>
              )}
            </div>
            {calls.map((call, place) => (
              <CallCard
                key={call.setId}
                call={call}
                entityId={entityId}
                // So can the oldest call.
                mayBePart={picksFromCalls || (!isWhole && place === calls.length - 1)}
                onFilter={onFilter}
              />
            ))}
          </section>
        )
      })}
      <NextPage query={history} failure="Failed to load older changes">
        Show older changes
      </NextPage>
    </>
  )
}

function Waiting() {
  return (
    <div className={classes.day} role="status" aria-label="Loading history">
      {[120, 76, 76].map((height, index) => (
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </div>
  )
}
