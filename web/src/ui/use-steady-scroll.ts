import { useLayoutEffect, useRef } from 'react'

type Place = {
  /** The top of the list on the page, in pixels. */
  top: number
  columns: number
  /** The height of the first rows. */
  heightOf: (rows: number) => number
}

/** How far to look for the previous first item; beyond that it is another list. */
const itemsAddedMax = 1_000

/** Keeps the visible items in place when items arrive above them, unless the page is scrolled to the top. */
export function useSteadyScroll<Item>(items: Item[], keyOf: (item: Item) => string, place: Place): void {
  const firstKey = useRef<string>(undefined)
  // Items that do not yet fill a row.
  const rest = useRef(0)
  const { top, columns, heightOf } = place

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
    window.scrollBy(0, heightOf(Math.floor(total / columns)))
  }, [items, keyOf, top, columns, heightOf])
}
