import type { GraphData, GraphEntity } from '@loci/contract/graph'
import { Button, Text, UnstyledButton } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { Section } from '../../ui/section.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import classes from './path-section.module.css'

type PathSectionProps = {
  /** Where the path starts, once it is known. */
  start: GraphEntity | undefined
  picking: boolean
  path: GraphData | undefined
  error: unknown
  onPick: (id: string) => void
  onClear: () => void
}

/** The shortest path between two picked nodes, as a list of its stations. */
export function PathSection({ start, picking, path, error, onPick, onClear }: PathSectionProps) {
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
}
