import type { GraphPadding } from '@loci/graph/types'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent, useMemo } from 'react'

export type PanelName = 'filters' | 'details' | 'time'
export type Panels = Record<PanelName, boolean>

const storageKey = 'loci-graph-panels'
const allOpen: Panels = { filters: true, details: true, time: true }
const folded: Panels = { filters: false, details: true, time: false }
const allFolded: Panels = { filters: false, details: false, time: false }
/** A larger graph needs the canvas for itself. */
const roomyNodesMax = 1_000

/** Windows without space for panels beside the picture. */
const phoneQuery = '(max-width: 480px), (max-width: 720px) and (min-height: 501px)'
/** Windows with space for a panel on one side only: phones on their side, and tablets. */
const smallQuery = '(max-width: 1080px), (max-height: 500px)'

/**
 * Which panels are open: remembered, and initially folded in small windows and over large graphs. F folds or unfolds all
 * of them.
 */
export function usePanels(entityCount: number) {
  const phone = useMatch(phoneQuery)
  const small = useMatch(smallQuery)
  const large = entityCount > roomyNodesMax
  const [open, setOpen] = useLocalStorage<Panels>({
    key: storageKey + (small ? '-phone' : large ? '-large' : ''),
    defaultValue: small ? folded : large ? allFolded : allOpen,
    getInitialValueInEffect: false,
  })
  const toggle = (name: PanelName) => setOpen((now) => ({ ...now, [name]: !now[name] }))
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'f' || !isForPicture(event)) return
    setOpen((now) => (Object.values(now).some(Boolean) ? allFolded : allOpen))
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return { phone, small, open, toggle }
}

/** Not typed into a field, and not part of a shortcut of the browser. */
function isForPicture({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false
  return !(
    target instanceof Element && target.closest('input, textarea, select, [role="dialog"], [role="menu"]')
  )
}

function useMatch(query: string): boolean {
  return useMediaQuery(query, window.matchMedia(query).matches)
}

export type GraphPanels = ReturnType<typeof usePanels>

const edge = 16
const leftWidth = 280
const rightWidth = 356
const rightWidthSmall = 296
const barHeight = 34
const footHeight = 54
const legendHeight = 40
const sheetHeight = 352
const hintHeight = 112
const phoneBars = 108

/** What the right panel shows of the selection: nothing, one sentence, or details. */
export type Subject = 'none' | 'hint' | 'details'

/** How much of the picture the panels cover on each side. */
export function usePadding({ phone, small, open }: GraphPanels, subject: Subject): GraphPadding {
  const { filters, time } = open
  const details = subject !== 'none' || (open.details && !small)
  const sheet = subject === 'hint' ? hintHeight : sheetHeight
  return useMemo(
    () =>
      phone
        ? { left: 0, right: 0, top: phoneBars, bottom: details ? sheet : time ? edge + footHeight : 0 }
        : {
            left: filters ? edge + leftWidth : 0,
            right: details ? edge + (small ? rightWidthSmall : rightWidth) : 0,
            top: edge + barHeight,
            bottom: time ? edge + footHeight : filters || small ? 0 : edge + legendHeight,
          },
    [phone, small, filters, time, details, sheet],
  )
}
