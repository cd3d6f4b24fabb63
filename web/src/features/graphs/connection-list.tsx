import { wordsOfType } from '@loci/contract/lists'
import { Text } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { memo } from 'react'
import { countOf } from '../../lib/format.ts'
import classes from './connection-list.module.css'
import { connectionsOf } from './connections.ts'
import type { LiveGraph } from './live-graph.ts'
import { NodeRow, NodeRows } from './node-rows.tsx'
import { useGraphVersion } from './use-from-graph.ts'

const connectionsShown = 100

type ConnectionListProps = { graph: LiveGraph; id: string; onPick: (id: string) => void }

/** A node's relations, each with its direction and the node at its other end. */
export const ConnectionList = memo(function ConnectionList({ graph, id, onPick }: ConnectionListProps) {
  useGraphVersion(graph)
  const connections = connectionsOf(graph, id)
  const more = connections.length - connectionsShown
  return (
    <div className={classes.scroller}>
      {connections.length === 0 && (
        <Text size="sm" c="dimmed">
          No relations in this part of the graph
        </Text>
      )}
      <NodeRows label="Connections">
        {connections.slice(0, connectionsShown).map(({ id, relationType, outgoing, entity }) => (
          <NodeRow
            key={id}
            id={entity.id}
            name={entity.name}
            type={entity.type}
            lead={<Direction relationType={relationType} outgoing={outgoing} />}
            onPick={onPick}
          />
        ))}
      </NodeRows>
      {more > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {countOf(more, 'more connection', 'more connections')}
        </Text>
      )}
    </div>
  )
})

const Direction = memo(function Direction({
  relationType,
  outgoing,
}: {
  relationType: string
  outgoing: boolean
}) {
  const Arrow = outgoing ? IconArrowRight : IconArrowLeft
  return (
    <>
      <Arrow size={13} aria-label={outgoing ? 'to' : 'from'} className={classes.arrow} />
      <span className={classes.kind} title={relationType}>
        {wordsOfType(relationType)}
      </span>
    </>
  )
})
