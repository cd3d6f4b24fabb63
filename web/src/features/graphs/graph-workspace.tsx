import type { GraphData, GraphEntity } from '@loci/contract/graph'
import { useFocusTrap } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { GraphAddress } from './graph-address.ts'
import { GraphBoard } from './graph-board.tsx'
import { countTypes } from './graph-facts.ts'
import { GraphStatistics } from './graph-statistics.tsx'
import classes from './graph-workspace.module.css'
import { useExpansions, useShortestPath } from './graphs.queries.ts'
import { mergeGraphs } from './merge-graphs.ts'
import { NodeTypes } from './node-types.tsx'
import { PathSection } from './path-section.tsx'
import { SelectedNode } from './selected-node.tsx'
import { useFullScreen } from './use-full-screen.ts'

export type GraphChange = (change: Partial<GraphAddress>) => void

type GraphWorkspaceProps = {
  base: GraphData
  address: GraphAddress
  onChange: GraphChange
  onEdit: (entity: GraphEntity) => void
}

const noPath: readonly string[] = []

/** The picture of a graph and the panels beside it. */
export function GraphWorkspace({ base, address, onChange, onEdit }: GraphWorkspaceProps) {
  const { expanded, hiddenTypes, selected, from, to } = address
  const expansions = useExpansions(expanded)
  const { data: path, error: pathError } = useShortestPath(from, to)
  const graph = useMemo(() => mergeGraphs(base, expansions, path), [base, expansions, path])
  const pathIds = useMemo(() => path?.entities.map(({ id }) => id) ?? noPath, [path])
  const types = useMemo(() => countTypes(graph.entities), [graph])
  const [flight, setFlight] = useState<{ id: string }>()
  const { full, toggle } = useFullScreen()
  // What the full screen covers is not to be reached behind it.
  const trap = useFocusTrap(full)
  const find = (id: string | undefined) => graph.entities.find((entity) => entity.id === id)

  function select(id: string | undefined) {
    const endsPath = id !== undefined && from !== undefined && to === undefined && id !== from
    onChange(endsPath ? { selected: id, to: id } : { selected: id })
  }
  function expand(id: string) {
    if (!expanded.includes(id)) onChange({ expanded: [...expanded, id] })
  }
  function pick(id: string) {
    const entity = find(id)
    select(id)
    if (!entity) expand(id)
    else if (hiddenTypes.includes(entity.type))
      onChange({ hiddenTypes: hiddenTypes.filter((type) => type !== entity.type) })
    setFlight({ id })
  }
  const clearPath = () => {
    if (from !== undefined) onChange({ from: undefined, to: undefined })
  }

  return (
    <div ref={trap} className={classes.workspace} data-full={full || undefined}>
      <GraphBoard
        graph={graph}
        address={address}
        pathIds={pathIds}
        flight={flight}
        full={full}
        onSelect={select}
        onPick={pick}
        onExpand={expand}
        onClearPath={clearPath}
        onView={(view) => onChange({ view })}
        onToggleFull={toggle}
      />
      <div className={classes.panels}>
        <SelectedNode
          graph={graph}
          node={find(selected)}
          onPick={pick}
          onExpand={expand}
          onPathFrom={(id) => onChange({ from: id, to: undefined })}
          onEdit={onEdit}
        />
        {from !== undefined && (
          <PathSection
            start={find(from)}
            picking={to === undefined}
            path={path}
            error={pathError}
            onPick={pick}
            onClear={clearPath}
          />
        )}
        <GraphStatistics
          nodes={graph.entities.length}
          edges={graph.relations.length}
          nodeTypes={types.length}
          truncated={graph.truncated}
        />
        <NodeTypes types={types} hidden={hiddenTypes} onChange={(next) => onChange({ hiddenTypes: next })} />
      </div>
    </div>
  )
}
