import type { GraphEntity } from '@loci/contract/graph'
import type { GraphView } from '@loci/graph/types'
import { Button, Group, Text } from '@mantine/core'
import { memo, useReducer } from 'react'
import { download } from '../../lib/download.ts'
import { countOf } from '../../lib/format.ts'
import classes from './lasso-section.module.css'
import type { LiveGraph } from './live-graph.ts'
import { NodeRow, NodeRows } from './node-rows.tsx'
import { PanelSection } from './panel-section.tsx'

type LassoSectionProps = {
  graph: LiveGraph
  drawing: GraphView | undefined
  ids: readonly string[]
  onPick: (id: string) => void
  onHide: (ids: readonly string[]) => void
  onClear: () => void
}

const rowsShown = 100

/** The nodes in the lasso, and actions on all of them. */
export const LassoSection = memo(function LassoSection({
  graph,
  drawing,
  ids,
  onPick,
  onHide,
  onClear,
}: LassoSectionProps) {
  const nodes = ids.flatMap((id) => graph.findEntity(id) ?? [])
  const [, readPins] = useReducer((round: number) => round + 1, 0)
  const pinned = drawing?.pins() ?? {}
  const allPinned = ids.every((id) => id in pinned)
  return (
    <PanelSection title="Selection">
      <Text size="sm" role="status">
        {countOf(nodes.length, 'node', 'nodes')}
      </Text>
      <Group gap={6} mt={8}>
        <Button variant="default" size="xs" onClick={() => drawing?.focusAll(ids)}>
          Show
        </Button>
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            drawing?.pin(ids, !allPinned)
            readPins()
          }}
        >
          {allPinned ? 'Unpin' : 'Pin'}
        </Button>
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            onHide(ids)
            onClear()
          }}
        >
          Hide
        </Button>
        <Button variant="default" size="xs" onClick={() => exportNodes(graph, nodes)}>
          Export
        </Button>
        <Button variant="subtle" size="xs" onClick={onClear}>
          Clear
        </Button>
      </Group>
      <div className={classes.rows}>
        <NodeRows label="Nodes in the selection">
          {nodes.slice(0, rowsShown).map(({ id, name, type }) => (
            <NodeRow
              key={id}
              id={id}
              name={name}
              type={type}
              count={graph.countRelationsAt(id)}
              onPick={onPick}
            />
          ))}
        </NodeRows>
        {nodes.length > rowsShown && (
          <Text size="xs" c="dimmed">
            {countOf(nodes.length - rowsShown, 'more node', 'more nodes')}
          </Text>
        )}
      </div>
    </PanelSection>
  )
})

/** Downloads the nodes and the relations between them as one JSON file. */
function exportNodes(graph: LiveGraph, entities: readonly GraphEntity[]): void {
  const ids = new Set(entities.map(({ id }) => id))
  const relations = entities.flatMap(({ id }) =>
    graph
      .relationsAt(id)
      .filter(({ fromEntityId, toEntityId }) => fromEntityId === id && ids.has(toEntityId)),
  )
  const text = JSON.stringify({ entities, relations }, null, 2)
  download(new Blob([text], { type: 'application/json' }), 'loci-selection.json')
}
