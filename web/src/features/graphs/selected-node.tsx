import type { GraphEntity } from '@loci/contract/graph'
import { Anchor, Button, Text, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { countOf } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import { TypeBadge, TypeDot } from '../../ui/type-badge.tsx'
import { type Connection, connectionsOf } from './connections.ts'
import type { LiveGraph } from './live-graph.ts'
import classes from './selected-node.module.css'
import { useGraphVersion } from './use-from-graph.ts'

type SelectedNodeProps = {
  graph: LiveGraph
  id: string | undefined
  onPick: (id: string) => void
  onExpand: (id: string) => void
  onPathFrom: (id: string) => void
  onEdit: (node: GraphEntity) => void
}

const connectionsShown = 50

export const SelectedNode = memo(function SelectedNode({ graph, id, ...on }: SelectedNodeProps) {
  useGraphVersion(graph)
  const node = graph.findEntity(id)
  if (!node) {
    return (
      <Section title="Selected Node">
        <Text c="dimmed" size="sm">
          Click a node to see what it is. A double click brings in its neighbours.
        </Text>
      </Section>
    )
  }
  return (
    <Section title="Selected Node">
      <Anchor
        renderRoot={(props) => <Link {...props} to="/entities/$entityId" params={{ entityId: node.id }} />}
        className={classes.name}
        fw={600}
        lineClamp={3}
        dir="auto"
      >
        {node.name}
      </Anchor>
      <div className={classes.facts}>
        <TypeBadge type={node.type} />
        <Text size="xs" c="dimmed">
          {countOf(node.observationsCount, 'observation', 'observations')}
        </Text>
      </div>
      <Text size="xs" c="dimmed" className="loci-mono" mt={6}>
        {node.id}
      </Text>
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={() => on.onExpand(node.id)}>
          Expand
        </Button>
        <Button variant="default" size="xs" onClick={() => on.onPathFrom(node.id)}>
          Path from here
        </Button>
        <Button variant="default" size="xs" onClick={() => on.onEdit(node)}>
          Edit
        </Button>
      </div>
      <Connections connections={connectionsOf(graph, node.id)} onPick={on.onPick} />
    </Section>
  )
})

type ConnectionsProps = { connections: Connection[]; onPick: (id: string) => void }

function Connections({ connections, onPick }: ConnectionsProps) {
  if (connections.length === 0) return null
  const more = connections.length - connectionsShown
  return (
    <>
      <ul className={classes.connections} aria-label="Connections">
        {connections.slice(0, connectionsShown).map(({ id, relationType, outgoing, entity }) => (
          <li key={id}>
            <UnstyledButton className={classes.connection} onClick={() => onPick(entity.id)}>
              {outgoing ? (
                <IconArrowRight size={13} aria-label="to" />
              ) : (
                <IconArrowLeft size={13} aria-label="from" />
              )}
              <span className={classes.kind}>{relationType}</span>
              <TypeDot type={entity.type} />
              <bdi className={classes.other}>{entity.name}</bdi>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {countOf(more, 'more connection', 'more connections')}
        </Text>
      )}
    </>
  )
}
