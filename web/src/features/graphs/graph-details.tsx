import type { GraphData, GraphEntity } from '@loci/contract/graph'
import type { GraphView } from '@loci/graph/types'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useCallback } from 'react'
import { DetailsPanel } from './details-panel.tsx'
import type { GraphAddress } from './graph-address.ts'
import { LassoSection } from './lasso-section.tsx'
import type { LiveGraph } from './live-graph.ts'
import { NodeMenuItems } from './node-menu-items.tsx'
import { PathSection } from './path-section.tsx'
import { SelectedNode } from './selected-node.tsx'
import type { GraphActions } from './use-graph-actions.ts'
import type { GraphPanels, Subject } from './use-panels.ts'

export type PathAnswer = { data: GraphData | undefined; error: unknown }

type GraphDetailsProps = {
  graph: LiveGraph
  drawing: GraphView | undefined
  address: GraphAddress
  actions: GraphActions
  path: PathAnswer
  panels: GraphPanels
  subject: Subject
  /** The nodes selected with the lasso. */
  marked: readonly string[]
  mayWrite: boolean
  onMark: (ids: readonly string[]) => void
  onEdit: (entity: GraphEntity) => void
  facts: (node: GraphEntity) => ReactNode
  connect: (node: GraphEntity) => ReactNode
}

/** The contents of the right panel: the path, the lasso's selection and the selected node. */
export function GraphDetails({
  graph,
  drawing,
  address,
  actions,
  path,
  panels,
  ...props
}: GraphDetailsProps) {
  const { selected, from, to } = address
  const { subject, marked, mayWrite, onMark, onEdit } = props
  const clearMarks = useCallback(() => onMark([]), [onMark])

  const nodeActions = useCallback(
    (node: GraphEntity) => (
      <>
        <Button variant="default" size="xs" onClick={() => actions.expand(node.id)}>
          Expand
        </Button>
        <Button variant="default" size="xs" onClick={() => actions.startPath(node.id)}>
          Path from here
        </Button>
        {mayWrite && (
          <Button variant="default" size="xs" onClick={() => onEdit(node)}>
            Edit
          </Button>
        )}
        <Menu width={190}>
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label="More actions">
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <NodeMenuItems node={node} drawing={drawing} actions={actions} />
          </Menu.Dropdown>
        </Menu>
      </>
    ),
    [actions, drawing, mayWrite, onEdit],
  )

  return (
    <DetailsPanel
      open={panels.open.details}
      subject={subject}
      tall={selected !== undefined}
      phone={panels.phone}
      small={panels.small}
      onToggle={() => panels.toggle('details')}
      onClose={() => {
        clearMarks()
        actions.change({ selected: undefined, from: undefined, to: undefined })
      }}
    >
      {from !== undefined && (
        <PathSection
          graph={graph}
          from={from}
          picking={to === undefined}
          path={path.data}
          error={path.error}
          onPick={actions.pick}
          onClear={actions.clearPath}
        />
      )}
      {marked.length > 0 && (
        <LassoSection
          graph={graph}
          drawing={drawing}
          ids={marked}
          onPick={actions.pick}
          onHide={actions.hideNodes}
          onClear={clearMarks}
        />
      )}
      <SelectedNode
        graph={graph}
        id={selected}
        isAside={from !== undefined || marked.length > 0}
        onPick={actions.pick}
        actions={nodeActions}
        facts={props.facts}
        connect={props.connect}
      />
    </DetailsPanel>
  )
}
