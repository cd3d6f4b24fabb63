import type { GraphEntity } from '@loci/contract/graph'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { EditEntityDialog } from '../../features/entities/entity-form-dialog.tsx'
import {
  type GraphAddress,
  readGraphAddress,
  writeGraphAddress,
} from '../../features/graphs/graph-address.ts'
import { GraphControls, type GraphExtent } from '../../features/graphs/graph-controls.tsx'
import { GraphScreen } from '../../features/graphs/graph-screen.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { Page } from '../../ui/page.tsx'
import { useDialog } from '../../ui/use-dialog.ts'

const route = getRouteApi('/app/graph')

export function GraphPage() {
  const search = route.useSearch()
  const address = useMemo(() => readGraphAddress(search), [search])
  const navigate = useNavigate({ from: '/graph' })
  const client = useQueryClient()
  const fetching = useIsFetching({ queryKey: queryKeys.graphData }) > 0
  const { open, close, isOpen, subject } = useDialog<'edit', GraphEntity>()
  const reload = () => void client.invalidateQueries({ queryKey: queryKeys.graph })

  /** What one looks at is no step to go back to; what is asked for is. */
  function change(next: Partial<GraphAddress>, replace = true) {
    void navigate({
      search: (now) => ({ ...now, ...writeGraphAddress(next) }),
      replace,
      resetScroll: false,
    })
  }
  function apply(extent: GraphExtent) {
    if (extent.limit === address.limit && extent.depth === address.depth) reload()
    change(extent, false)
  }

  return (
    <Page
      title="Knowledge Graph Visualization"
      actions={
        <Button variant="default" leftSection={<IconRefresh size={16} />} loading={fetching} onClick={reload}>
          Refresh
        </Button>
      }
    >
      <GraphControls limit={address.limit} depth={address.depth} onApply={apply} />
      <GraphScreen address={address} onChange={change} onEdit={(entity) => open('edit', entity)} />
      <EditEntityDialog
        opened={isOpen('edit')}
        entityId={subject?.id}
        onClose={() => {
          close()
          reload()
        }}
      />
    </Page>
  )
}
