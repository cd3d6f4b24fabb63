import type { GraphData } from '@loci/contract/graph'
import { wordsOfType } from '@loci/contract/lists'
import { Button, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import type { LiveGraph } from './live-graph.ts'
import { PanelSection } from './panel-section.tsx'
import classes from './path-section.module.css'
import { pathSteps } from './path-steps.ts'
import { useFromGraph } from './use-from-graph.ts'

type PathSectionProps = {
  graph: LiveGraph
  /** The start of the path. */
  from: string
  picking: boolean
  path: GraphData | undefined
  error: unknown
  onPick: (id: string) => void
  onClear: () => void
}

/** The shortest path between two picked nodes: the nodes on it, and the relations between them. */
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
    <PanelSection
      title="Shortest Path"
      aside={
        <Button variant="default" size="compact-xs" mr={30} onClick={onClear}>
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
        {path && (
          <Text size="xs" c="dimmed">
            {countOf(path.entities.length - 1, 'step', 'steps')}
          </Text>
        )}
      </div>
      {path && <Steps path={path} onPick={onPick} />}
    </PanelSection>
  )
})

function Steps({ path, onPick }: { path: GraphData; onPick: (id: string) => void }) {
  return (
    <ol className={classes.steps} aria-label="Path">
      {pathSteps(path).map(({ entity: { id, name, type }, relation }, index) => (
        <li key={id}>
          <UnstyledButton className={classes.station} onClick={() => onPick(id)}>
            <TypeDot type={type} />
            <span className={classes.number}>{index + 1}</span>
            <bdi className={classes.name} title={name}>
              {name}
            </bdi>
          </UnstyledButton>
          {relation && (
            <span className={classes.relation}>
              {relation.forward ? (
                <IconArrowDown size={13} aria-label="to the next" />
              ) : (
                <IconArrowUp size={13} aria-label="from the next" />
              )}
              <span className={classes.name} title={relation.type}>
                {wordsOfType(relation.type)}
              </span>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
