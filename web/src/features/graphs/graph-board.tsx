import { Card } from '@mantine/core'
import { useDeferredValue, useEffect, useMemo, useRef } from 'react'
import type { GraphAddress } from './graph-address.ts'
import classes from './graph-board.module.css'
import { GraphList } from './graph-list.tsx'
import { GraphToolbar } from './graph-toolbar.tsx'
import type { LiveGraph } from './live-graph.ts'
import { useFromGraph } from './use-from-graph.ts'
import { useGraphView } from './use-graph-view.ts'

type GraphBoardProps = {
  graph: LiveGraph
  address: GraphAddress
  pathIds: readonly string[]
  /** The node to bring to the centre; each object is one flight. */
  flight: { id: string } | undefined
  full: boolean
  onSelect: (id: string | undefined) => void
  onPick: (id: string) => void
  onExpand: (id: string) => void
  onClearPath: () => void
  onView: (view: GraphAddress['view']) => void
  onToggleFull: () => void
}

/** The graph as a picture, and as a list over it: the picture stays where it is meanwhile. */
export function GraphBoard({ graph, address, pathIds, flight, ...on }: GraphBoardProps) {
  const { hiddenTypes, selected, view } = address
  // The switch answers at once; the rows come after it, in slices.
  const rowsMayCome = useDeferredValue(view === 'list')
  const container = useRef<HTMLDivElement>(null)
  const flown = useRef(flight)
  const hidden = useMemo(() => new Set(hiddenTypes), [hiddenTypes])
  const drawing = useGraphView(container, {
    onSelect: (node) => on.onSelect(node?.id),
    onActivate: (node) => on.onExpand(node.id),
  })

  // What is flown to may have to arrive first.
  const arrived = useFromGraph(graph, (now) => flight !== undefined && now.has(flight.id))

  useEffect(() => {
    if (!drawing) return
    drawing.setData({ nodes: graph.entities(), edges: graph.relations() })
    return graph.follow((change) => drawing.update(change))
  }, [drawing, graph])
  useEffect(() => drawing?.hideTypes(hidden), [drawing, hidden])
  useEffect(() => drawing?.select(selected ?? null), [drawing, selected])
  useEffect(() => drawing?.highlightPath(pathIds), [drawing, pathIds])
  useEffect(() => {
    if (!drawing || !flight || !arrived || flown.current === flight) return
    flown.current = flight
    drawing.focus(flight.id)
  }, [drawing, arrived, flight])

  return (
    <Card padding={0} className={classes.card}>
      <GraphToolbar
        drawing={drawing}
        view={view}
        full={on.full}
        onView={on.onView}
        onToggleFull={on.onToggleFull}
        onPick={on.onPick}
      />
      <div className={classes.stage}>
        <div
          ref={container}
          className={classes.canvas}
          inert={view === 'list'}
          onKeyDownCapture={(event) => {
            if (event.key === 'Escape') on.onClearPath()
          }}
        />
        {view === 'list' && rowsMayCome && (
          <div className={classes.list}>
            <GraphList graph={graph} hidden={hidden} selectedId={selected} onSelect={on.onSelect} />
          </div>
        )}
      </div>
    </Card>
  )
}
