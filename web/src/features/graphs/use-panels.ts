import type { GraphPadding } from '@loci/graph/types'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'

export type PanelName = 'filters' | 'details' | 'time'
export type Panels = Record<PanelName, boolean>

const storageKey = 'loci-graph-panels'
const allOpen: Panels = { filters: true, details: true, time: true }
const folded: Panels = { filters: false, details: true, time: false }

/** Narrower windows have no space for panels beside the picture. */
export const phoneQuery = '(max-width: 720px)'

/** Which panels are open: remembered on desktops, initially collapsed on phones. */
export function usePanels() {
  const phone = useMediaQuery(phoneQuery, window.matchMedia(phoneQuery).matches)
  const [open, setOpen] = useLocalStorage<Panels>({
    key: phone ? `${storageKey}-phone` : storageKey,
    defaultValue: phone ? folded : allOpen,
    getInitialValueInEffect: false,
  })
  const toggle = (name: PanelName) => setOpen((now) => ({ ...now, [name]: !now[name] }))
  return { phone, open, toggle }
}

export type GraphPanels = ReturnType<typeof usePanels>

const edge = 16
const leftWidth = 280
const rightWidth = 356
const barHeight = 34
const footHeight = 54
const sheetHeight = 352
const phoneBars = 108

/** How much of the picture the panels cover on each side. */
export function usePadding({ phone, open }: GraphPanels, hasSubject: boolean): GraphPadding {
  const { filters, time } = open
  const details = hasSubject || (open.details && !phone)
  return useMemo(
    () =>
      phone
        ? { left: 0, right: 0, top: phoneBars, bottom: details ? sheetHeight : time ? edge + footHeight : 0 }
        : {
            left: filters ? edge + leftWidth : 0,
            right: details ? edge + rightWidth : 0,
            top: edge + barHeight,
            bottom: time ? edge + footHeight : 0,
          },
    [phone, filters, time, details],
  )
}
