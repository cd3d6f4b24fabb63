import geistUrl from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { darkTheme, lightTheme } from '../../graph-engine/theme.ts'
import type { GraphNode, GraphTheme, GraphView, GraphViewOptions } from '../../graph-engine/types.ts'

type Wanted = {
  /** The token of the ground that the picture is drawn on. */
  ground: '--loci-ground' | '--loci-surface'
  onHover?: (node: GraphNode | null) => void
  onSelect: (node: GraphNode | null) => void
  onActivate: (node: GraphNode) => void
} & Partial<Pick<GraphViewOptions, 'regions' | 'ring' | 'keep'>>

const font = { family: "'Geist Variable', system-ui, sans-serif", url: geistUrl }

/** Loads the engine and lets it draw into an element; undefined until it is there. */
export function useGraphView(
  container: HTMLElement | null,
  { ground, regions, ring, keep, ...handlers }: Wanted,
): GraphView | undefined {
  const [view, setView] = useState<GraphView>()
  const scheme = useComputedColorScheme('light')
  const startingTheme = useEffectEvent(() => themeOn(ground, scheme))
  const hover = useEffectEvent((node: GraphNode | null) => handlers.onHover?.(node))
  const select = useEffectEvent((node: GraphNode | null) => handlers.onSelect(node))
  const activate = useEffectEvent((node: GraphNode) => handlers.onActivate(node))

  useEffect(() => {
    if (!container) return
    let ended = false
    let created: GraphView | undefined
    void import('../../graph-engine/create-graph-view.ts').then(({ createGraphView }) => {
      if (ended) return
      created = createGraphView(container, {
        font,
        theme: startingTheme(),
        regions,
        ring,
        keep,
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
  }, [container, regions, ring, keep])

  useEffect(() => view?.setTheme(themeOn(ground, scheme)), [view, ground, scheme])
  return view
}

/** The engine's theme on a ground of ours. */
function themeOn(ground: Wanted['ground'], scheme: 'light' | 'dark'): GraphTheme {
  const background = getComputedStyle(document.documentElement).getPropertyValue(ground).trim()
  const theme = scheme === 'dark' ? darkTheme : lightTheme
  return /^#[\da-f]{6}$/i.test(background) ? { ...theme, background } : theme
}
