import type { GraphEvents, GraphRegion, GraphView } from '@loci/graph/types'
import { Menu } from '@mantine/core'
import classes from './context-menu.module.css'
import { NodeMenuItems } from './node-menu-items.tsx'
import type { Shareable } from './share-menu.tsx'
import type { GraphActions } from './use-graph-actions.ts'

export type MenuRequest = GraphEvents['menu']

type ContextMenuProps = {
  request: MenuRequest | undefined
  drawing: GraphView | undefined
  actions: GraphActions
  mayWrite: boolean
  /** Absent for people who may not write, and in the past. */
  onAdd: ((at: MenuRequest) => void) | undefined
  onTidy: () => void
  onShare: ((shareable: Shareable) => void) | undefined
  onRename: (region: GraphRegion) => void
  onMark: (ids: readonly string[]) => void
  onClose: () => void
}

/** Actions on the node, region or place that was right-clicked. */
export function ContextMenu({ request, drawing, actions, mayWrite, ...on }: ContextMenuProps) {
  const region = request?.region ?? undefined
  return (
    <Menu
      opened={request !== undefined}
      onClose={on.onClose}
      position="bottom-start"
      offset={2}
      width={210}
      returnFocus
    >
      <Menu.Target>
        <span aria-hidden className={classes.point} style={{ left: request?.x ?? 0, top: request?.y ?? 0 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {request?.node && (
          <>
            <Menu.Label className={classes.name}>{request.node.name}</Menu.Label>
            <NodeMenuItems node={request.node} drawing={drawing} actions={actions} />
          </>
        )}
        {request && !request.node && on.onAdd && (
          <Menu.Item onClick={() => on.onAdd?.(request)}>Add an entity here</Menu.Item>
        )}
        {region && drawing && (
          <>
            {request?.node && <Menu.Divider />}
            <Menu.Label className={classes.name}>{region.name}</Menu.Label>
            {mayWrite && !region.loose && (
              <Menu.Item onClick={() => on.onRename(region)}>Rename region</Menu.Item>
            )}
            <Menu.Item onClick={() => drawing.focusAll(drawing.regionNodes(region.id))}>
              Show this region
            </Menu.Item>
            <Menu.Item onClick={() => on.onMark(drawing.regionNodes(region.id))}>List its nodes</Menu.Item>
            {on.onShare && !region.loose && (
              <Menu.Item
                onClick={() =>
                  on.onShare?.({ view: { kind: 'region', regionId: region.id }, name: region.name })
                }
              >
                Share this region
              </Menu.Item>
            )}
          </>
        )}
        {!request?.node && (
          <>
            {region && <Menu.Divider />}
            <Menu.Item onClick={() => drawing?.fit()}>Show the whole graph</Menu.Item>
            {mayWrite && <Menu.Item onClick={on.onTidy}>Tidy up</Menu.Item>}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
