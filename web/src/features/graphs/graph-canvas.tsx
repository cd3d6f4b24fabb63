import type { GraphData, GraphEntity } from '@loci/contract/graph'
import { useEffect, useRef, useState } from 'react'
import type { GraphNode } from '../../graph-engine/types.ts'
import classes from './graph-canvas.module.css'
import { useGraphView } from './use-graph-view.ts'

type GraphCanvasProps = {
  graph: GraphData
  centreId: string
  /** The pointer or the keyboard is on a node. */
  onSelect: (node: GraphEntity) => void
  /** A node was clicked, or taken with Enter. */
  onOpen: (node: GraphEntity) => void
}

/** A small graph around one entity, drawn by the engine. */
export function GraphCanvas({ graph, centreId, onSelect, onOpen }: GraphCanvasProps) {
  const [container, setContainer] = useState<HTMLDivElement | null>(null)
  // Walking with the arrows must not leave the page; a click may.
  const byPointer = useRef(false)
  const entityOf = (node: GraphNode | null) => graph.entities.find(({ id }) => id === node?.id)

  function hovered(node: GraphNode | null) {
    const entity = entityOf(node)
    if (entity) onSelect(entity)
  }
  function opened(node: GraphNode | null) {
    const entity = entityOf(node)
    if (entity && entity.id !== centreId) onOpen(entity)
    else if (entity) onSelect(entity)
  }
  const view = useGraphView(container, {
    ground: '--loci-surface',
    onHover: hovered,
    onSelect: (node) => (byPointer.current ? opened(node) : hovered(node)),
    onActivate: opened,
  })

  useEffect(() => view?.setData({ nodes: graph.entities, edges: graph.relations }), [view, graph])

  return (
    <div
      ref={setContainer}
      className={classes.canvas}
      onPointerDownCapture={() => {
        byPointer.current = true
      }}
      onKeyDownCapture={() => {
        byPointer.current = false
      }}
    />
  )
}
