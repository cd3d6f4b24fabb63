import type { GraphEntity } from '@loci/contract/graph'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { memo, useCallback, useState } from 'react'
import { EditEntityDialog } from '../../features/entities/entity-form-dialog.tsx'
import { NewEntityForm } from '../../features/entities/new-entity-form.tsx'
import type { Relate } from '../../features/graphs/drawn-relation.tsx'
import { readGraphAddress, writeGraphAddress } from '../../features/graphs/graph-address.ts'
import type { GraphExtent } from '../../features/graphs/graph-controls.tsx'
import type { GraphNavigation } from '../../features/graphs/graph-navigation.ts'
import { GraphScreen } from '../../features/graphs/graph-screen.tsx'
import type { Grow } from '../../features/graphs/new-node.tsx'
import { AddRelationship } from '../../features/relations/add-relationship.tsx'
import { ShareDialog, type ToShare } from '../../features/shares/share-dialog.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay } from '../../lib/rights.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useDocumentTitle } from '../../ui/page.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { NodeFacts } from './node-facts.tsx'
import { NodeRelation } from './node-relation.tsx'

const route = getRouteApi('/app/graph')

export function GraphPage() {
  useDocumentTitle('Knowledge Graph Visualization')
  // Structural sharing keeps its arrays identical while their contents are equal, so a click does not
  // recompute everything.
  const address = route.useSearch({ select: readGraphAddress, structuralSharing: true })
  const navigate = useNavigate({ from: '/graph' })
  const client = useQueryClient()
  const { open, close, isOpen, subject } = useDialog<'edit', GraphEntity>()
  const [sharing, setSharing] = useState<ToShare>()
  const mayShare = useMay('memory:share')
  const { limit, depth } = address
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: queryKeys.graph() }), [client])

  /** Changes of the view replace the history entry; a newly applied extent adds one. */
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
  const facts = useCallback((node: GraphEntity) => <NodeFacts key={node.id} entityId={node.id} />, [])
  const relate = useCallback<Relate>(
    ({ from, to }, close) => <AddRelationship entity={from} drawnTo={to} onClose={close} />,
    [],
  )
  const grow = useCallback<Grow>(
    (type, onCreated, close) => <NewEntityForm type={type} onCreated={onCreated} onCancel={close} />,
    [],
  )
  const connect = useCallback((node: GraphEntity) => <NodeRelation key={node.id} node={node} />, [])

  return (
    <>
      <GraphScreen
        address={address}
        navigate={look}
        onApply={apply}
        onRefresh={reload}
        onEdit={edit}
        facts={facts}
        connect={connect}
        relate={relate}
        grow={grow}
        onShare={mayShare ? setSharing : undefined}
        empty={
          <EmptyState
            title="No graph data to display"
            text="What your agents remember appears here as they write it."
            action={
              <Button renderRoot={(props) => <Link {...props} to="/settings" hash="connect" />}>
                Connect an agent
              </Button>
            }
          />
        }
      />
      <ShareDialog subject={sharing} onClose={() => setSharing(undefined)} />
      <EditDialog opened={isOpen('edit')} entityId={subject?.id} onClose={endEdit} />
    </>
  )
}

const EditDialog = memo(EditEntityDialog)
