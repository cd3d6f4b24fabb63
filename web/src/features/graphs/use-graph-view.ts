import geistUrl from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url'
import { useComputedColorScheme } from '@mantine/core'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { darkTheme, lightTheme } from '../../graph-engine/theme.ts'
import type { GraphNode, GraphView } from '../../graph-engine/types.ts'

type Handlers = {
  onHover?: (node: GraphNode | null) => void
  onSelect: (node: GraphNode | null) => void
  onActivate: (node: GraphNode) => void
}

/** The engine's themes on the ground of our cards. */
const themes = {
  light: { ...lightTheme, background: '#ffffff' },
  dark: { ...darkTheme, background: '#14171f' },
}
const font = { family: "'Geist Variable', system-ui, sans-serif", url: geistUrl }

/** Loads the engine and lets it draw into an element; undefined until it is there. */
export function useGraphView(
  container: RefObject<HTMLElement | null>,
  handlers: Handlers,
): GraphView | undefined {
  const [view, setView] = useState<GraphView>()
  const scheme = useComputedColorScheme('light')
  const startingScheme = useEffectEvent(() => scheme)
  const hover = useEffectEvent((node: GraphNode | null) => handlers.onHover?.(node))
  const select = useEffectEvent((node: GraphNode | null) => handlers.onSelect(node))
  const activate = useEffectEvent((node: GraphNode) => handlers.onActivate(node))

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
      created.on('hover', hover)
      created.on('select', select)
      created.on('activate', activate)
      setView(created)
    })
    return () => {
      ended = true
      setView(undefined)
      created?.destroy()
    }
  }, [container])

  useEffect(() => view?.setTheme(themes[scheme]), [view, scheme])
  return view
}
