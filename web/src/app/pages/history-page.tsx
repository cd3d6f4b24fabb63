import type { Change } from '@loci/contract/changes'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAgents } from '../../features/agents/agents.queries.ts'
import { changesOf, useHistory } from '../../features/history/history.queries.ts'
import { HistoryFilters } from '../../features/history/history-filters.tsx'
import { HistoryList } from '../../features/history/history-list.tsx'
import { type HistoryFilter, queryKeys } from '../../lib/query-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'

const route = getRouteApi('/app/history')

/** All changes to the memory, grouped by call, each with its undo. */
export function HistoryPage() {
  const filter = route.useSearch()
  const navigate = useNavigate({ from: '/history' })
  const client = useQueryClient()
  const history = useHistory(filter)
  const changes = useMemo(() => changesOf(history.data), [history.data])
  const { data: { agents } = { agents: [] } } = useAgents()
  const change = (next: HistoryFilter) => void navigate({ search: next })
  const byWriter = ({ client: agent, id }: Change['actor']) =>
    change({ ...filter, client: agent, actorId: agent === undefined ? id : undefined })
  return (
    <Page
      title="History"
      subtitle="Every change to this memory, and who made it."
      actions={<RefreshButton onClick={() => void client.resetQueries({ queryKey: queryKeys.history })} />}
    >
      <HistoryFilters
        filter={filter}
        agents={agents.map(({ name }) => name)}
        names={namesOf(changes, filter)}
        onChange={change}
      />
      <HistoryList
        history={history}
        none={<NoChanges isFiltered={Object.keys(filter).length > 0} />}
        onWriter={byWriter}
      />
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
    actor: changes.find(({ actor }) => actor.id === actorId)?.actor.name,
    entity:
      changes.find(({ subject }) => subject.id === entityId)?.subject.name ??
      changes.find(({ subject }) => subject.entityId === entityId)?.subject.entityName,
  }
}
