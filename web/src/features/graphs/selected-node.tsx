import type { GraphEntity } from '@loci/contract/graph'
import { Anchor, Tabs, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode, useDeferredValue } from 'react'
import { countOf, formatNumber } from '../../lib/format.ts'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { ConnectionList } from './connection-list.tsx'
import type { LiveGraph } from './live-graph.ts'
import { MostConnected } from './most-connected.tsx'
import { PanelSection } from './panel-section.tsx'
import classes from './selected-node.module.css'
import { useGraphVersion } from './use-from-graph.ts'

type SelectedNodeProps = {
  graph: LiveGraph
  id: string | undefined
  /** The panel is about something else, so no node is suggested. */
  isAside: boolean
  onPick: (id: string) => void
  /** Renders the actions on a node. */
  actions: (node: GraphEntity) => ReactNode
  /** Renders a node's observations. */
  facts: (node: GraphEntity) => ReactNode
  /** Renders the way to connect a node with another one. */
  connect: (node: GraphEntity) => ReactNode
}

/** Details of the selected node; without one, the most connected nodes. */
export const SelectedNode = memo(function SelectedNode({
  graph,
  id,
  isAside,
  onPick,
  actions,
  facts,
  connect,
}: SelectedNodeProps) {
  useGraphVersion(graph)
  const node = graph.findEntity(id)
  // Deferred: the name responds at once, and the rows render after it in slices.
  const shown = graph.findEntity(useDeferredValue(node?.id))
  if (!node && isAside) return null
  if (!node) {
    return (
      <>
        <PanelSection title="Selected Node">
          <p className={classes.hint}>Click a node to read what is known about it.</p>
        </PanelSection>
        <MostConnected graph={graph} onPick={onPick} />
      </>
    )
  }
  return (
    <PanelSection title="Selected Node" grows>
      <Anchor
        renderRoot={(props) => <Link {...props} to="/entities/$entityId" params={{ entityId: node.id }} />}
        className={classes.name}
        fw={600}
        dir="auto"
      >
        {/* Apart from the link, whose padding on a phone would show a part of the next line. */}
        <Text span inherit lineClamp={3}>
          <VisibleText text={node.name} />
        </Text>
      </Anchor>
      <div className={classes.about}>
        <TypeBadge type={node.type} />
        <span>{countOf(node.observationsCount, 'observation', 'observations')}</span>
        <span className="loci-mono">{node.id}</span>
      </div>
      <div className={classes.actions}>{actions(node)}</div>
      {shown && (
        <Tabs defaultValue="observations" className={classes.tabs} keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="observations">
              Observations <Count value={shown.observationsCount} />
            </Tabs.Tab>
            <Tabs.Tab value="relations">
              Relations <Count value={graph.countRelationsAt(shown.id)} />
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="observations" className={classes.panel}>
            {facts(shown)}
          </Tabs.Panel>
          <Tabs.Panel value="relations" className={classes.panel}>
            <ConnectionList graph={graph} id={shown.id} onPick={onPick} />
            {connect(shown)}
          </Tabs.Panel>
        </Tabs>
      )}
    </PanelSection>
  )
})

const Count = ({ value }: { value: number }) => <span className={classes.count}>{formatNumber(value)}</span>
