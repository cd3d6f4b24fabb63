import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useState } from 'react'

const overscanRows = 12

/**
 * The rows of a table that scrolls with the page: only those near the window, and the heights of the two gaps that
 * stand for the rest. `anchor` goes on the element around the table.
 */
export function useVirtualRows(count: number, rowHeight: number, onNearEnd: () => void) {
  const [scrollMargin, setScrollMargin] = useState(0)
  const anchor = useCallback((element: HTMLElement | null) => {
    if (element) setScrollMargin(element.offsetTop)
  }, [])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: overscanRows,
    scrollMargin,
  })
  const rows = virtualizer.getVirtualItems()
  const first = rows[0]
  const last = rows.at(-1)

  useEffect(() => {
    if (last && last.index >= count - 1 - overscanRows) onNearEnd()
  }, [last, count, onNearEnd])

  return {
    anchor,
    rows,
    before: first ? first.start - scrollMargin : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - scrollMargin) : 0,
  }
}
