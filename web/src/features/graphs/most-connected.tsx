import { memo, useDeferredValue, useMemo } from 'react'
import type { LiveGraph } from './live-graph.ts'
import { NodeRow, NodeRows } from './node-rows.tsx'
import { PanelSection } from './panel-section.tsx'
import { mostConnected } from './rank-nodes.ts'
import { useGraphVersion } from './use-from-graph.ts'

const shown = 9
const unread = -1

type MostConnectedProps = { graph: LiveGraph; onPick: (id: string) => void }

/** Suggests where to start in an unfamiliar graph. */
export const MostConnected = memo(function MostConnected({ graph, onPick }: MostConnectedProps) {
  // A task of its own: it looks at every node.
  const version = useDeferredValue(useGraphVersion(graph), unread)
  const rows = useMemo(() => (version === unread ? [] : mostConnected(graph, shown)), [graph, version])
  if (rows.length === 0) return null
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
