import type { GraphData } from '@loci/contract/graph'
import { Card } from '@mantine/core'
import { useEffect, useMemo, useRef } from 'react'
import type { GraphAddress } from './graph-address.ts'
import classes from './graph-board.module.css'
import { GraphList } from './graph-list.tsx'
import { GraphToolbar } from './graph-toolbar.tsx'
import { toDrawing } from './to-drawing.ts'
import { useGraphView } from './use-graph-view.ts'

type GraphBoardProps = {
  graph: GraphData
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
  const container = useRef<HTMLDivElement>(null)
  const flown = useRef(flight)
  const hidden = useMemo(() => new Set(hiddenTypes), [hiddenTypes])
  const drawing = useGraphView(container, {
    onSelect: (node) => on.onSelect(node?.id),
    onActivate: (node) => on.onExpand(node.id),
  })

  useEffect(() => drawing?.setData(toDrawing(graph)), [drawing, graph])
  useEffect(() => drawing?.hideTypes(hidden), [drawing, hidden])
  // Also after new data: what is selected or on the path may have come with it.
  useEffect(() => {
    drawing?.select(selected ?? null)
    drawing?.highlightPath(pathIds)
  }, [drawing, graph, selected, pathIds])
  useEffect(() => {
    if (!drawing || !flight || flown.current === flight) return
    if (!graph.entities.some(({ id }) => id === flight.id)) return
    flown.current = flight
    drawing.focus(flight.id)
  }, [drawing, graph, flight])

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
        {view === 'list' && (
          <div className={classes.list}>
            <GraphList graph={graph} hidden={hidden} selectedId={selected} onSelect={on.onSelect} />
          </div>
        )}
      </div>
    </Card>
  )
}
