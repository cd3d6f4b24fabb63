import { mapPlacesMax } from '@loci/contract/graph-places'
import { Text } from '@mantine/core'
import { memo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import classes from './graph-statistics.module.css'
import type { LiveGraph } from './live-graph.ts'
import { PanelSection } from './panel-section.tsx'
import { useGraphVersion } from './use-from-graph.ts'

type GraphStatisticsProps = {
  graph: LiveGraph
  /** Whether the map that everybody shares has no room for what is added. */
  mapFull: boolean
}

export const GraphStatistics = memo(function GraphStatistics({ graph, mapFull }: GraphStatisticsProps) {
  useGraphVersion(graph)
  return (
    <PanelSection title="Graph Statistics">
      <dl className={classes.facts}>
        <Fact name="Nodes" value={graph.entityCount} />
        <Fact name="Edges" value={graph.relationCount} />
        <Fact name="Node Types" value={graph.types.length} />
      </dl>
      {graph.truncated && (
        <Text size="xs" c="dimmed" mt={6}>
          Only the best-connected entities are shown. Raise the limit to see more.
        </Text>
      )}
      {mapFull && (
        <Text size="xs" c="dimmed" mt={6}>
          The shared map is full at {formatNumber(mapPlacesMax)} places: what was added later stands beside
          its neighbours, in this browser only.
        </Text>
      )}
    </PanelSection>
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
