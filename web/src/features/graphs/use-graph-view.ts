import geistUrl from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url'
import { darkTheme, lightTheme } from '@loci/graph/theme'
import type { GraphEvents, GraphListener, GraphTheme, GraphView, GraphViewOptions } from '@loci/graph/types'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useEntityTypes } from '../../lib/entity-types.ts'
import { useScheme } from '../../lib/use-scheme.ts'

type Wanted = {
  /** The token of the background that the picture is drawn on. */
  ground: '--loci-ground' | '--loci-surface'
  onHover?: GraphListener<'hover'>
  onSelect?: GraphListener<'select'>
  onActivate?: GraphListener<'activate'>
  onCard?: GraphListener<'card'>
  onMenu?: GraphListener<'menu'>
  onLasso?: GraphListener<'lasso'>
  onLink?: GraphListener<'link'>
  onNear?: GraphListener<'near'>
  onRegion?: GraphListener<'activateRegion'>
} & Partial<Pick<GraphViewOptions, 'regions' | 'ring' | 'map' | 'links'>>

const font = { family: "'Geist Variable', system-ui, sans-serif", url: geistUrl }

/** Loads the engine and attaches it to an element; undefined until it has loaded. */
export function useGraphView(
  container: HTMLElement | null,
  { ground, regions, ring, map, links, ...handlers }: Wanted,
): GraphView | undefined {
  const [view, setView] = useState<GraphView>()
  const scheme = useScheme()
  const slots = useTypeSlots()
  const starting = useEffectEvent(() => ({ theme: themeOn(ground, scheme), slots }))
  const on = {
    hover: useEffectEvent((node: GraphEvents['hover']) => handlers.onHover?.(node)),
    select: useEffectEvent((node: GraphEvents['select']) => handlers.onSelect?.(node)),
    activate: useEffectEvent((node: GraphEvents['activate']) => handlers.onActivate?.(node)),
    card: useEffectEvent((card: GraphEvents['card']) => handlers.onCard?.(card)),
    menu: useEffectEvent((menu: GraphEvents['menu']) => handlers.onMenu?.(menu)),
    lasso: useEffectEvent((nodes: GraphEvents['lasso']) => handlers.onLasso?.(nodes)),
    link: useEffectEvent((link: GraphEvents['link']) => handlers.onLink?.(link)),
    near: useEffectEvent((nodes: GraphEvents['near']) => handlers.onNear?.(nodes)),
    region: useEffectEvent((region: GraphEvents['activateRegion']) => handlers.onRegion?.(region)),
  }

  useEffect(() => {
    if (!container) return
    let ended = false
    let created: GraphView | undefined
    void import('@loci/graph/create-graph-view').then(({ createGraphView }) => {
      if (ended) return
      const options = { font, regions, ring, map, links, testHandle: navigator.webdriver }
      created = createGraphView(container, { ...options, ...starting() })
      created.on('hover', on.hover)
      created.on('select', on.select)
      created.on('activate', on.activate)
      created.on('card', on.card)
      created.on('menu', on.menu)
      created.on('lasso', on.lasso)
      created.on('link', on.link)
      created.on('near', on.near)
      created.on('activateRegion', on.region)
      setView(created)
    })
    return () => {
      ended = true
      setView(undefined)
      created?.destroy()
    }
  }, [container, regions, ring, map, links])

  useEffect(() => view?.setTheme(themeOn(ground, scheme)), [view, ground, scheme])
  useEffect(() => view?.setTypeSlots(slots), [view, slots])
  return view
}

/** The types' positions in the palette. */
function useTypeSlots(): Record<string, number> {
  const { data } = useEntityTypes()
  return useMemo(() => Object.fromEntries((data ?? []).map(({ type, colour }) => [type, colour])), [data])
}

/** The engine's theme on one of our backgrounds. */
function themeOn(ground: Wanted['ground'], scheme: 'light' | 'dark'): GraphTheme {
  const background = getComputedStyle(document.documentElement).getPropertyValue(ground).trim()
  const theme = scheme === 'dark' ? darkTheme : lightTheme
  return /^#[\da-f]{6}$/i.test(background) ? { ...theme, background } : theme
}
