import type { GraphEntity } from '@loci/contract/graph'
import { memo, useMemo } from 'react'
import type { LiveGraph } from './live-graph.ts'
import { NodeRow, NodeRows } from './node-rows.tsx'
import { PanelSection } from './panel-section.tsx'
import { useGraphVersion } from './use-from-graph.ts'

const shown = 9

type MostConnectedProps = { graph: LiveGraph; onPick: (id: string) => void }

/** Where to begin in a graph that one does not know. */
export const MostConnected = memo(function MostConnected({ graph, onPick }: MostConnectedProps) {
  const version = useGraphVersion(graph)
  const rows = useMemo(() => mostConnected(graph, shown), [graph, version])
  return (
    <PanelSection title="Most connected">
      <NodeRows label="Most connected">
        {rows.map(({ entity, relations }) => (
          <NodeRow
            key={entity.id}
            id={entity.id}
            name={entity.name}
            type={entity.type}
            count={relations}
            onPick={onPick}
          />
        ))}
      </NodeRows>
    </PanelSection>
  )
})

/** The entities with the most relations in the graph; a single pass, whatever its size. */
export function mostConnected(
  graph: LiveGraph,
  max: number,
): readonly { entity: GraphEntity; relations: number }[] {
  const best: { entity: GraphEntity; relations: number }[] = []
  for (const entity of graph.entities()) {
    const relations = graph.countRelationsAt(entity.id)
    if (best.length === max && relations <= best[max - 1]!.relations) continue
    const place = best.findIndex((other) => relations > other.relations)
    best.splice(place < 0 ? best.length : place, 0, { entity, relations })
    best.length = Math.min(best.length, max)
  }
  return best
}
