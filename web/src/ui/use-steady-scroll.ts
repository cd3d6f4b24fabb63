import { useLayoutEffect, useRef } from 'react'

type Place = {
  /** Where the list begins on the page, in pixels. */
  top: number
  columns: number
  rowHeight: number
}

/** Looked at when the first item is another than before; more than that is another list. */
const itemsAddedMax = 1_000

/** Keeps what is being read in place when items arrive above it, and leaves the top of the page alone. */
export function useSteadyScroll<Item>(items: Item[], keyOf: (item: Item) => string, place: Place): void {
  const firstKey = useRef<string>(undefined)
  // Items that have not filled a row yet.
  const rest = useRef(0)
  const { top, columns, rowHeight } = place

  useLayoutEffect(() => {
    const before = firstKey.current
    const now = items[0] && keyOf(items[0])
    firstKey.current = now
    if (before === undefined || now === before) return
    const added = items.slice(0, itemsAddedMax).findIndex((item) => keyOf(item) === before)
    if (added <= 0 || window.scrollY <= top) {
      rest.current = 0
      return
    }
    const total = rest.current + added
    rest.current = total % columns
    window.scrollBy(0, Math.floor(total / columns) * rowHeight)
  }, [items, keyOf, top, columns, rowHeight])
}
