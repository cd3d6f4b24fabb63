import type { GraphEntity } from '@loci/contract/graph'
import type { GraphView } from '@loci/graph/types'
import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { GraphActions } from './use-graph-actions.ts'

type NodeMenuItemsProps = {
  node: Pick<GraphEntity, 'id' | 'name'>
  drawing: GraphView | undefined
  actions: GraphActions
}

/** Actions on a node beyond the buttons of its panel. */
export function NodeMenuItems({ node, drawing, actions }: NodeMenuItemsProps) {
  const isPinned = drawing !== undefined && node.id in drawing.pins()
  return (
    <>
      <Menu.Item onClick={() => actions.expand(node.id)}>Expand</Menu.Item>
      <Menu.Item onClick={() => actions.startPath(node.id)}>Path from here</Menu.Item>
      <Menu.Item disabled={!drawing} onClick={() => drawing?.focus(node.id)}>
        Bring to the centre
      </Menu.Item>
      <Menu.Item disabled={!drawing} onClick={() => drawing?.pin([node.id], !isPinned)}>
        {isPinned ? 'Unpin' : 'Pin'}
      </Menu.Item>
      <Menu.Item onClick={() => actions.hideNodes([node.id])}>Hide</Menu.Item>
      <Menu.Item component={Link} to="/entities/$entityId" params={{ entityId: node.id } as never}>
        Open entity
      </Menu.Item>
    </>
  )
}
