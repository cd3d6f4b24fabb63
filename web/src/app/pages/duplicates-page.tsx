import { useQueryClient } from '@tanstack/react-query'
import { DuplicateList } from '../../features/duplicates/duplicate-list.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'

/** Entities that may be the same thing, to merge or to keep apart. */
export function DuplicatesPage() {
  const client = useQueryClient()
  return (
    <Page
      title="Duplicates"
      subtitle="Entities that may be the same thing under two names."
      actions={
        <RefreshButton onClick={() => void client.resetQueries({ queryKey: queryKeys.duplicates() })} />
      }
    >
      <DuplicateList
        none={
          <EmptyState
            title="No duplicates found"
            text="Entities with similar names, the same neighbours or the same observations appear here."
          />
        }
      />
    </Page>
  )
}
