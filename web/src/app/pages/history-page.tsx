import type { Change } from '@loci/contract/changes'
import { Button, Center, Loader } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { CallCard } from '../../features/history/call-card.tsx'
import { groupCalls, groupDays } from '../../features/history/group-calls.ts'
import { changesOf, useHistory } from '../../features/history/history.queries.ts'
import { HistoryFilters } from '../../features/history/history-filters.tsx'
import { formatDate } from '../../lib/format.ts'
import { type HistoryFilter, queryKeys } from '../../lib/query-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Page } from '../../ui/page.tsx'
import classes from './history-page.module.css'

const route = getRouteApi('/app/history')

/** Every change to the memory, by call, with the way back. */
export function HistoryPage() {
  const filter = route.useSearch()
  const navigate = useNavigate({ from: '/history' })
  const client = useQueryClient()
  const history = useHistory(filter)
  const changes = useMemo(() => changesOf(history.data), [history.data])
  const change = (next: HistoryFilter) => void navigate({ search: next })
  const byWriter = ({ client: agent, id }: Change['actor']) =>
    change({ ...filter, client: agent, actorId: agent === undefined ? id : undefined })
  return (
    <Page
      title="History"
      subtitle="Every change to this memory, and who made it"
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          onClick={() => void client.resetQueries({ queryKey: queryKeys.history })}
        >
          Refresh
        </Button>
      }
    >
      <HistoryFilters filter={filter} names={namesOf(changes, filter)} onChange={change} />
      {history.error && (
        <ErrorAlert message="Failed to load the history" onRetry={() => void history.refetch()} />
      )}
      {history.isPending && (
        <Center py={80}>
          <Loader aria-label="Loading history" />
        </Center>
      )}
      {history.data && changes.length === 0 && !history.hasNextPage && (
        <NoChanges isFiltered={Object.keys(filter).length > 0} />
      )}
      {groupDays(groupCalls(changes)).map(({ day, calls }) => (
        <section key={day} className={classes.day} aria-label={formatDate(calls[0]!.at)}>
          <h2 className={classes.date}>{formatDate(calls[0]!.at)}</h2>
          {calls.map((call) => (
            <CallCard key={call.setId} call={call} onWriter={byWriter} />
          ))}
        </section>
      ))}
      {history.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            Show older changes
          </Button>
        </Center>
      )}
    </Page>
  )
}

function NoChanges({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={<IconHistory size={20} />}
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

/** Names of what is filtered by, as far as the changes loaded tell them. */
function namesOf(changes: readonly Change[], { actorId, entityId }: HistoryFilter) {
  return {
    actor: changes.find(({ actor }) => actor.id === actorId)?.actor.name,
    entity:
      changes.find(({ subject }) => subject.id === entityId)?.subject.name ??
      changes.find(({ subject }) => subject.entityId === entityId)?.subject.entityName,
  }
}
