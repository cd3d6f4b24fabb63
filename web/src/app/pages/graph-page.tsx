import type { GraphEntity } from '@loci/contract/graph'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { EditEntityDialog } from '../../features/entities/entity-form-dialog.tsx'
import { readGraphAddress, writeGraphAddress } from '../../features/graphs/graph-address.ts'
import { GraphControls, type GraphExtent } from '../../features/graphs/graph-controls.tsx'
import { GraphScreen } from '../../features/graphs/graph-screen.tsx'
import type { GraphNavigation } from '../../features/graphs/graph-workspace.tsx'
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
  const { limit, depth } = address
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: queryKeys.graph }), [client])

  /** What one looks at is no step to go back to; what is asked for is. */
  const look: GraphNavigation = useCallback(
    (change) =>
      void navigate({
        search: (now) => ({ ...now, ...writeGraphAddress(change(readGraphAddress(now))) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const apply = useCallback(
    (extent: GraphExtent) => {
      if (extent.limit === limit && extent.depth === depth) reload()
      void navigate({ search: (now) => ({ ...now, ...writeGraphAddress(extent) }), resetScroll: false })
    },
    [limit, depth, reload, navigate],
  )
  const edit = useCallback((entity: GraphEntity) => open('edit', entity), [open])

  return (
    <Page
      title="Knowledge Graph Visualization"
      actions={
        <Button variant="default" leftSection={<IconRefresh size={16} />} loading={fetching} onClick={reload}>
          Refresh
        </Button>
      }
    >
      <GraphControls limit={limit} depth={depth} onApply={apply} />
      <GraphScreen address={address} navigate={look} onEdit={edit} />
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
