import type { GraphEntity } from '@loci/contract/graph'
import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { countOf } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { observationNodeType } from './fallback-graph.ts'
import classes from './selected-entity.module.css'

type SelectedNode = Pick<GraphEntity, 'id' | 'name' | 'type' | 'observationsCount'>

/** The node of the graph that the pointer or the keyboard is on. */
export function SelectedEntity({ node }: { node: SelectedNode }) {
  return (
    <Section title="Selected Entity">
      <Text fw={600} lineClamp={3} dir="auto" ta="left">
        {node.name}
      </Text>
      <div className={classes.facts}>
        <TypeBadge type={node.type} />
        <Text size="xs" c="dimmed">
          {countOf(node.observationsCount, 'observation', 'observations')}
        </Text>
      </div>
      {node.type !== observationNodeType && (
        <Button
          renderRoot={(props) => <Link {...props} to="/entities/$entityId" params={{ entityId: node.id }} />}
          variant="default"
          size="xs"
          fullWidth
          mt="sm"
        >
          View Entity
        </Button>
      )}
    </Section>
  )
}
