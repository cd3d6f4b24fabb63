import { Text } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import classes from './graph-statistics.module.css'

type GraphStatisticsProps = { nodes: number; edges: number; nodeTypes: number; truncated: boolean }

export function GraphStatistics({ nodes, edges, nodeTypes, truncated }: GraphStatisticsProps) {
  return (
    <Section title="Graph Statistics">
      <dl className={classes.facts}>
        <Fact name="Nodes" value={nodes} />
        <Fact name="Edges" value={edges} />
        <Fact name="Node Types" value={nodeTypes} />
      </dl>
      {truncated && (
        <Text size="xs" c="dimmed" mt={8}>
          There is more: the limit leaves out what is connected least.
        </Text>
      )}
    </Section>
  )
}

function Fact({ name, value }: { name: string; value: number }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  )
}
