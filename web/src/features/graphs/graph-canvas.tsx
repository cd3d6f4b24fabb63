import geistUrl from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url'
import type { GraphData, GraphEntity } from '@loci/contract/graph'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { darkTheme, lightTheme } from '../../graph-engine/theme.ts'
import type { GraphNode, GraphView } from '../../graph-engine/types.ts'
import classes from './graph-canvas.module.css'
import { toDrawing } from './to-drawing.ts'

type GraphCanvasProps = {
  graph: GraphData
  centreId: string
  /** The pointer or the keyboard is on a node. */
  onSelect: (node: GraphEntity) => void
  /** A node was clicked, or taken with Enter. */
  onOpen: (node: GraphEntity) => void
}

/** The engine's themes on the ground of our cards. */
const themes = {
  light: { ...lightTheme, background: '#ffffff' },
  dark: { ...darkTheme, background: '#17181c' },
}
const font = { family: "'Geist Variable', system-ui, sans-serif", url: geistUrl }

/** A small graph around one entity, drawn by the engine. */
export function GraphCanvas({ graph, centreId, onSelect, onOpen }: GraphCanvasProps) {
  const container = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<GraphView>()
  // Walking with the arrows must not leave the page; a click may.
  const byPointer = useRef(false)
  const scheme = useComputedColorScheme('light')
  const entityOf = (node: GraphNode | null) => graph.entities.find(({ id }) => id === node?.id)

  const hovered = useEffectEvent((node: GraphNode | null) => {
    const entity = entityOf(node)
    if (entity) onSelect(entity)
  })
  const opened = useEffectEvent((node: GraphNode | null) => {
    const entity = entityOf(node)
    if (entity && entity.id !== centreId) onOpen(entity)
    else if (entity) onSelect(entity)
  })
  const selected = useEffectEvent((node: GraphNode | null) =>
    byPointer.current ? opened(node) : hovered(node),
  )
  const startingScheme = useEffectEvent(() => scheme)

  useEffect(() => {
    let ended = false
    let created: GraphView | undefined
    void import('../../graph-engine/create-graph-view.ts').then(({ createGraphView }) => {
      if (ended || !container.current) return
      created = createGraphView(container.current, {
        font,
        theme: themes[startingScheme()],
        testHandle: navigator.webdriver,
      })
      created.on('hover', hovered)
      created.on('select', selected)
      created.on('activate', opened)
      setView(created)
    })
    return () => {
      ended = true
      setView(undefined)
      created?.destroy()
    }
  }, [])

  useEffect(() => view?.setTheme(themes[scheme]), [view, scheme])
  useEffect(() => view?.setData(toDrawing(graph)), [view, graph])

  return (
    <div
      ref={container}
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
