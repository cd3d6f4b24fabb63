import type { GraphEntity } from '@loci/contract/graph'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { memo, useCallback } from 'react'
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
  // Its lists stay the same objects as long as they say the same, so that a click does not do all anew.
  const address = route.useSearch({ select: readGraphAddress, structuralSharing: true })
  const navigate = useNavigate({ from: '/graph' })
  const client = useQueryClient()
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
  const endEdit = useCallback(() => {
    close()
    reload()
  }, [close, reload])

  return (
    <Page title="Knowledge Graph Visualization" actions={<RefreshButton onClick={reload} />}>
      <GraphControls limit={limit} depth={depth} onApply={apply} />
      <GraphScreen address={address} navigate={look} onEdit={edit} />
      <EditDialog opened={isOpen('edit')} entityId={subject?.id} onClose={endEdit} />
    </Page>
  )
}

const EditDialog = memo(EditEntityDialog)

const RefreshButton = memo(function RefreshButton({ onClick }: { onClick: () => void }) {
  const fetching = useIsFetching({ queryKey: queryKeys.graphData }) > 0
  return (
    <Button variant="default" leftSection={<IconRefresh size={16} />} loading={fetching} onClick={onClick}>
      Refresh
    </Button>
  )
})
