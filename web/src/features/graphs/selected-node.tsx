import type { GraphEntity } from '@loci/contract/graph'
import { Anchor, Button, Text, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, useDeferredValue } from 'react'
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
  // The name answers at once; the rows come after it, in slices.
  const connectedId = useDeferredValue(node?.id)
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
      {connectedId && <Connections graph={graph} id={connectedId} onPick={on.onPick} />}
    </Section>
  )
})

type ConnectionsProps = { graph: LiveGraph; id: string; onPick: (id: string) => void }

const Connections = memo(function Connections({ graph, id, onPick }: ConnectionsProps) {
  useGraphVersion(graph)
  const connections = connectionsOf(graph, id)
  if (connections.length === 0) return null
  const more = connections.length - connectionsShown
  return (
    <>
      <ul className={classes.connections} aria-label="Connections">
        {connections.slice(0, connectionsShown).map(({ id, entity, ...relation }) => (
          <ConnectionRow
            key={id}
            {...relation}
            entityId={entity.id}
            name={entity.name}
            type={entity.type}
            onPick={onPick}
          />
        ))}
      </ul>
      {more > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {countOf(more, 'more connection', 'more connections')}
        </Text>
      )}
    </>
  )
})

type ConnectionRowProps = Pick<Connection, 'relationType' | 'outgoing'> & {
  entityId: string
  name: string
  type: string
  onPick: (id: string) => void
}

const ConnectionRow = memo(function ConnectionRow({
  relationType,
  outgoing,
  entityId,
  name,
  type,
  onPick,
}: ConnectionRowProps) {
  return (
    <li>
      <UnstyledButton className={classes.connection} onClick={() => onPick(entityId)}>
        {outgoing ? (
          <IconArrowRight size={13} aria-label="to" />
        ) : (
          <IconArrowLeft size={13} aria-label="from" />
        )}
        <span className={classes.kind}>{relationType}</span>
        <TypeDot type={type} />
        <bdi className={classes.other}>{name}</bdi>
      </UnstyledButton>
    </li>
  )
})
