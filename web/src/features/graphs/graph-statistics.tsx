import { Text } from '@mantine/core'
import { memo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import classes from './graph-statistics.module.css'
import type { LiveGraph } from './live-graph.ts'
import { useGraphVersion } from './use-from-graph.ts'

export const GraphStatistics = memo(function GraphStatistics({ graph }: { graph: LiveGraph }) {
  useGraphVersion(graph)
  return (
    <Section title="Graph Statistics">
      <dl className={classes.facts}>
        <Fact name="Nodes" value={graph.entityCount} />
        <Fact name="Edges" value={graph.relationCount} />
        <Fact name="Node Types" value={graph.types.length} />
      </dl>
      {graph.truncated && (
        <Text size="xs" c="dimmed" mt={8}>
          There is more: the limit leaves out what is connected least.
        </Text>
      )}
    </Section>
  )
})

function Fact({ name, value }: { name: string; value: number }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  )
}
