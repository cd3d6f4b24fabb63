import type { GraphData } from '@loci/contract/graph'
import { Button, Text, UnstyledButton } from '@mantine/core'
import { memo } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { Section } from '../../ui/section.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import type { LiveGraph } from './live-graph.ts'
import classes from './path-section.module.css'
import { useFromGraph } from './use-from-graph.ts'

type PathSectionProps = {
  graph: LiveGraph
  /** Where the path starts. */
  from: string
  picking: boolean
  path: GraphData | undefined
  error: unknown
  onPick: (id: string) => void
  onClear: () => void
}

/** The shortest path between two picked nodes, as a list of its stations. */
export const PathSection = memo(function PathSection({
  graph,
  from,
  picking,
  path,
  error,
  onPick,
  onClear,
}: PathSectionProps) {
  const start = useFromGraph(graph, (now) => now.findEntity(from))
  return (
    <Section
      title="Shortest Path"
      aside={
        <Button variant="default" size="compact-xs" onClick={onClear}>
          Clear
        </Button>
      }
    >
      <div role="status">
        {picking && (
          <Text size="sm" c="dimmed">
            Pick the node where the path from <bdi>{start?.name ?? 'here'}</bdi> ends.
          </Text>
        )}
        {!picking && !path && (
          <Text size="sm" c="dimmed">
            {error ? messageOf(error, 'Failed to find a path') : 'Looking for a path...'}
          </Text>
        )}
      </div>
      {path && (
        <ol className={classes.stations} aria-label="Path">
          {path.entities.map(({ id, name, type }) => (
            <li key={id} className={classes.station}>
              <UnstyledButton className={classes.button} onClick={() => onPick(id)}>
                <TypeDot type={type} />
                <bdi className={classes.name}>{name}</bdi>
              </UnstyledButton>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
})
