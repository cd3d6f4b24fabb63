import type { Change } from '@loci/contract/changes'
import { Button } from '@mantine/core'
import { IconCalendar, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { changesOf, useHistory, useHistoryCounts } from '../../features/history/history.queries.ts'
import { HistoryFacets } from '../../features/history/history-facets.tsx'
import { HistoryList } from '../../features/history/history-list.tsx'
import { momentADayAgo } from '../../lib/as-of.ts'
import type { HistoryFilter } from '../../lib/filters.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import classes from './history-page.module.css'

const route = getRouteApi('/app/history')

/** All changes to the memory, grouped by call, each with its undo. */
export function HistoryPage() {
  const filter = route.useSearch()
  const navigate = useNavigate({ from: '/history' })
  const client = useQueryClient()
  const history = useHistory(filter)
  const { data: counted } = useHistoryCounts(filter)
  const changes = useMemo(() => changesOf(history.data), [history.data])
  const change = (part: Partial<HistoryFilter>) => void navigate({ search: (was) => ({ ...was, ...part }) })
  const names = namesOf(changes, filter)
  return (
    <Page
      title="History"
      subtitle="Every change to this memory, and who made it."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconCalendar size={16} />}
            renderRoot={(props) => <Link {...props} to="/entities" search={{ asOf: momentADayAgo() }} />}
          >
            See the memory as of a date
          </Button>
          <RefreshButton onClick={() => void client.resetQueries({ queryKey: queryKeys.history() })} />
        </>
      }
    >
      <div className={classes.columns}>
        <HistoryFacets filter={filter} counted={counted} writerName={names.writer} onChange={change} />
        <div className={classes.list}>
          {filter.entityId && (
            <Button
              className={classes.about}
              variant="default"
              size="compact-sm"
              rightSection={<IconX size={14} />}
              aria-label={`Remove filter: About ${names.entity}`}
              onClick={() => change({ entityId: undefined })}
            >
              <span className={classes.name}>About {names.entity}</span>
            </Button>
          )}
          {filter.tool && (
            <Button
              className={classes.about}
              variant="default"
              size="compact-sm"
              rightSection={<IconX size={14} />}
              aria-label={`Remove filter: Called ${filter.tool}`}
              onClick={() => change({ tool: undefined })}
            >
              <span className={classes.name}>Called {filter.tool}</span>
            </Button>
          )}
          <HistoryList
            history={history}
            picksFromCalls={filter.kind !== undefined || filter.entityId !== undefined}
            none={<NoChanges isFiltered={Object.keys(filter).length > 0} />}
            onFilter={change}
          />
        </div>
      </div>
    </Page>
  )
}

function NoChanges({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      title={isFiltered ? 'No changes match these filters' : 'Nothing has changed yet'}
      text={isFiltered ? 'Remove a filter to see more.' : 'What agents and people change appears here.'}
      action={
        isFiltered && (
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/history" search={{}} />}>
            Clear Filters
          </Button>
        )
      }
    />
  )
}

/** Names for the active filters, taken from the loaded changes. */
function namesOf(changes: readonly Change[], { actorId, entityId }: HistoryFilter) {
  return {
    writer: changes.find(({ actor }) => actor.id === actorId)?.actor.name,
    entity:
      changes.find(({ subject }) => subject.id === entityId)?.subject.name ??
      changes.find(({ subject }) => subject.entityId === entityId)?.subject.entityName ??
      'one entity',
  }
}
