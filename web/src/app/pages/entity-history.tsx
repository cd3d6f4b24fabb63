import { useNavigate } from '@tanstack/react-router'
import { useHistory } from '../../features/history/history.queries.ts'
import { HistoryList } from '../../features/history/history-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Changes to an entity, its observations and its relations. */
export function EntityHistory({ entityId }: { entityId: string }) {
  const history = useHistory({ entityId })
  const navigate = useNavigate()
  return (
    <HistoryList
      history={history}
      entityId={entityId}
      none={<EmptyState title="No history is kept for this entity" />}
      onFilter={(part) => void navigate({ to: '/history', search: { entityId, ...part } })}
    />
  )
}
