import { useMediaQuery } from '@mantine/hooks'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useState } from 'react'
import { everyRow, useIsPrinting } from '../lib/printing.ts'
import { useSteadyScroll } from './use-steady-scroll.ts'

const overscanRows = 12

/**
 * Renders only the rows near the window of a table that scrolls with the page, plus the heights of the two
 * gaps for the rest. `anchor` goes on the element around the table.
 */
export function useVirtualRows<Row extends { id: string }>(
  items: Row[],
  rowHeight: number,
  onNearEnd: () => void,
) {
  const count = items.length
  const [scrollMargin, setScrollMargin] = useState(0)
  const anchor = useCallback((element: HTMLElement | null) => {
    if (element) setScrollMargin(element.offsetTop)
  }, [])
  const isPrinting = useIsPrinting()
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: overscanRows,
    rangeExtractor: isPrinting ? everyRow : defaultRangeExtractor,
    scrollMargin,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const heightOf = useCallback((rows: number) => rows * rowHeight, [rowHeight])
  useSteadyScroll(items, idOf, { top: scrollMargin, columns: 1, heightOf })
  const rows = virtualizer.getVirtualItems()
  const first = rows[0]
  const last = rows.at(-1)

  useEffect(() => {
    if (last && last.index >= count - 1 - overscanRows && !isPrinting) onNearEnd()
  }, [last, count, isPrinting, onNearEnd])

  return {
    anchor,
    rows,
    before: first ? first.start - scrollMargin : 0,
    // Needed even before the window is measured: Back scrolls at once and needs the height then.
    after: virtualizer.getTotalSize() - (last ? last.end - scrollMargin : 0),
  }
}

/** What --loci-table-row says. */
export function useTableRowHeight(): number {
  return useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false }) ? 45 : 40
}

function idOf({ id }: { id: string }): string {
  return id
}
