import type { GraphEntity } from '@loci/contract/graph'
import { useFocusTrap } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { GraphAddress } from './graph-address.ts'
import { GraphBoard } from './graph-board.tsx'
import { GraphStatistics } from './graph-statistics.tsx'
import classes from './graph-workspace.module.css'
import { useExpansions, useShortestPath } from './graphs.queries.ts'
import { guestsOf } from './guests.ts'
import type { LiveGraph } from './live-graph.ts'
import { NodeTypes } from './node-types.tsx'
import { PathSection } from './path-section.tsx'
import { SelectedNode } from './selected-node.tsx'
import { useFullScreen } from './use-full-screen.ts'

/** Changes what the address says, by what it says now; the same function as long as the screen is there. */
export type GraphNavigation = (change: (now: GraphAddress) => Partial<GraphAddress>) => void

type GraphWorkspaceProps = {
  graph: LiveGraph
  address: GraphAddress
  navigate: GraphNavigation
  onEdit: (entity: GraphEntity) => void
}

const noPath: readonly string[] = []
const noGuests = guestsOf([])

/** The picture of a graph and the panels beside it. */
export function GraphWorkspace({ graph, address, navigate, onEdit }: GraphWorkspaceProps) {
  const { expanded, hiddenTypes, selected, from, to } = address
  const expansions = useExpansions(expanded)
  const { data: path, error: pathError } = useShortestPath(from, to)
  const pathIds = useMemo(() => path?.entities.map(({ id }) => id) ?? noPath, [path])
  const [flight, setFlight] = useState<{ id: string }>()
  const { full, toggle } = useFullScreen()
  // What the full screen covers is not to be reached behind it.
  const trap = useFocusTrap(full)

  useEffect(() => graph.setGuests(guestsOf(expansions, path)), [graph, expansions, path])
  useEffect(() => () => graph.setGuests(noGuests), [graph])

  const select = useCallback((id: string | undefined) => navigate((now) => selection(now, id)), [navigate])
  const expand = useCallback((id: string) => navigate((now) => expansion(now, id)), [navigate])
  const pick = useCallback(
    (id: string) => {
      navigate((now) => {
        const entity = graph.findEntity(id)
        const hiddenTypes = now.hiddenTypes.filter((type) => type !== entity?.type)
        return { ...selection(now, id), ...(entity ? { hiddenTypes } : expansion(now, id)) }
      })
      setFlight({ id })
    },
    [graph, navigate],
  )
  const startPath = useCallback((id: string) => navigate(() => ({ from: id, to: undefined })), [navigate])
  const clearPath = useCallback(() => navigate(() => ({ from: undefined, to: undefined })), [navigate])
  const hide = useCallback((hiddenTypes: string[]) => navigate(() => ({ hiddenTypes })), [navigate])
  const show = useCallback((view: GraphAddress['view']) => navigate(() => ({ view })), [navigate])

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
        onView={show}
        onToggleFull={toggle}
      />
      <div className={classes.panels}>
        <SelectedNode
          graph={graph}
          id={selected}
          onPick={pick}
          onExpand={expand}
          onPathFrom={startPath}
          onEdit={onEdit}
        />
        {from !== undefined && (
          <PathSection
            graph={graph}
            from={from}
            picking={to === undefined}
            path={path}
            error={pathError}
            onPick={pick}
            onClear={clearPath}
          />
        )}
        <GraphStatistics graph={graph} />
        <NodeTypes graph={graph} hidden={hiddenTypes} onChange={hide} />
      </div>
    </div>
  )
}

/** Selecting a node while the end of a path is to be picked picks it. */
function selection({ from, to }: GraphAddress, id: string | undefined): Partial<GraphAddress> {
  const endsPath = id !== undefined && from !== undefined && to === undefined && id !== from
  return endsPath ? { selected: id, to: id } : { selected: id }
}

function expansion({ expanded }: GraphAddress, id: string): Partial<GraphAddress> {
  return { expanded: expanded.includes(id) ? expanded : [...expanded, id] }
}
