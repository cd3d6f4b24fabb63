import type { GraphPadding, GraphView } from '@loci/graph/types'
import { type RefCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { useScheme } from '../../lib/use-scheme.ts'
import type { GraphAddress } from './graph-address.ts'
import { GraphList } from './graph-list.tsx'
import classes from './graph-screen.module.css'
import type { LiveGraph } from './live-graph.ts'
import { useFromGraph } from './use-from-graph.ts'

type GraphBoardProps = {
  container: RefCallback<HTMLDivElement>
  drawing: GraphView | undefined
  graph: LiveGraph
  /** Whether it is known where everything is. */
  mapped: boolean
  address: GraphAddress
  pathIds: readonly string[]
  /** The node to fly to; each new object starts one flight. */
  flight: { id: string } | undefined
  padding: GraphPadding
  onSelect: (id: string | undefined) => void
  onClearPath: () => void
}

/** The graph as a picture, or as a list above it; the picture stays mounted meanwhile. */
export function GraphBoard({ container, drawing, graph, mapped, address, ...props }: GraphBoardProps) {
  const { hiddenTypes, hiddenRelations, hiddenNodes, selected, view } = address
  const start = address.to === undefined ? address.from : undefined
  const { pathIds, flight, padding } = props
  // Deferred: the switch responds at once, and the rows render after it in slices.
  const rowsMayCome = useDeferredValue(view === 'list')
  const flown = useRef(flight)
  const scheme = useScheme()
  const hidden = useMemo(() => new Set(hiddenTypes), [hiddenTypes])

  // The picture can fly to the node only once the node has arrived.
  const arrived = useFromGraph(graph, (now) => flight !== undefined && now.has(flight.id))

  useEffect(() => drawing?.setPadding(padding), [drawing, padding])
  useEffect(() => {
    if (!drawing || !mapped) return
    drawing.setData({ nodes: graph.entities(), edges: graph.relations() })
    return graph.follow((change) => drawing.update(change))
  }, [drawing, graph, mapped])
  useEffect(() => drawing?.setLayout(view === 'plan' ? 'plan' : 'graph'), [drawing, view])
  useEffect(() => drawing?.hideTypes(hidden), [drawing, hidden])
  useEffect(() => drawing?.hideRelationTypes(new Set(hiddenRelations)), [drawing, hiddenRelations])
  useEffect(() => drawing?.hideNodes(new Set(hiddenNodes)), [drawing, hiddenNodes])
  useEffect(() => drawing?.select(selected ?? null), [drawing, selected])
  useEffect(() => drawing?.markStart(start ?? null), [drawing, start])
  useEffect(() => drawing?.highlightPath(pathIds), [drawing, pathIds])
  useEffect(() => {
    if (!drawing || !flight || !arrived || flown.current === flight) return
    flown.current = flight
    drawing.focus(flight.id)
  }, [drawing, arrived, flight])

  return (
    <>
      <div
        ref={container}
        className={classes.canvas}
        data-painted={scheme}
        inert={view === 'list'}
        onKeyDownCapture={(event) => {
          if (event.key === 'Escape') props.onClearPath()
        }}
      />
      {view === 'list' && rowsMayCome && (
        <div className={classes.list}>
          <GraphList
            graph={graph}
            hidden={hidden}
            hiddenNodes={hiddenNodes}
            selectedId={selected}
            startId={start}
            onSelect={props.onSelect}
          />
        </div>
      )}
    </>
  )
}
