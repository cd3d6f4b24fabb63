import { useElementSize } from '@mantine/hooks'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { everyRow, useIsPrinting } from '../lib/printing.ts'
import { useSteadyScroll } from './use-steady-scroll.ts'
import classes from './virtual-grid.module.css'

type VirtualGridProps<Item> = {
  items: Item[]
  /** The number of all items, loaded or not, for screen readers. */
  total: number
  itemKey: (item: Item) => string
  renderItem: (item: Item) => ReactNode
  minColumnWidth: number
  /** The height of an item of a width; a row is as high as its highest. */
  heightOf: (item: Item, width: number) => number
  label: string
  /** Called when the end of `items` is near. */
  onNearEnd: () => void
}

const gap = 12
const overscanRows = 4

/** The last known width of each grid, by name. */
const widths = new Map<string, number>()

/** An element's width, initially the last known one: Back scrolls at once and needs the height then. */
function useKnownWidth(name: string) {
  const { ref, width } = useElementSize()
  useEffect(() => {
    if (width > 0) widths.set(name, width)
  }, [name, width])
  return { ref, width: width || (widths.get(name) ?? 0) }
}

/** A grid of any length that scrolls with the page and renders only the part near the window. */
export function VirtualGrid<Item>(props: VirtualGridProps<Item>) {
  const { items, minColumnWidth, heightOf, onNearEnd } = props
  const { ref, width } = useKnownWidth(props.label)
  const anchor = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const columns = Math.max(1, Math.floor((width + gap) / (minColumnWidth + gap)))
  const rowHeights = useMemo(() => {
    if (width === 0) return []
    const itemWidth = (width + gap) / columns - gap
    const heights = items.map((item) => heightOf(item, itemWidth))
    return Array.from({ length: Math.ceil(items.length / columns) }, (_, row) =>
      Math.max(...heights.slice(row * columns, (row + 1) * columns)),
    )
  }, [items, width, columns, heightOf])
  const rowCount = rowHeights.length

  useLayoutEffect(() => setScrollMargin(anchor.current?.offsetTop ?? 0), [])

  const isPrinting = useIsPrinting()
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: (row) => rowHeights[row]! + gap,
    overscan: overscanRows,
    rangeExtractor: isPrinting ? everyRow : defaultRangeExtractor,
    scrollMargin,
  })
  useLayoutEffect(() => {
    if (rowHeights.length > 0) virtualizer.measure()
  }, [virtualizer, rowHeights])
  const topOf = useCallback(
    (rows: number) => rowHeights.slice(0, rows).reduce((sum, height) => sum + height + gap, 0),
    [rowHeights],
  )
  useSteadyScroll(items, props.itemKey, { top: scrollMargin, columns, heightOf: topOf })
  const rows = virtualizer.getVirtualItems()
  const lastRow = rows.at(-1)?.index ?? 0

  useEffect(() => {
    if (rowCount > 0 && lastRow >= rowCount - 1 - overscanRows && !isPrinting) onNearEnd()
  }, [lastRow, rowCount, isPrinting, onNearEnd])

  return (
    <div ref={anchor}>
      {/* biome-ignore lint/a11y/useSemanticElements: the rows between list and items have no element of their own */}
      <div
        ref={ref}
        role="list"
        aria-label={props.label}
        className={classes.grid}
        data-placed
        style={{ height: Math.max(0, topOf(rowCount) - gap) }}
      >
        {rows.flatMap((row) =>
          items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
            // biome-ignore lint/a11y/useSemanticElements: see above
            <div
              key={props.itemKey(item)}
              role="listitem"
              aria-setsize={props.total}
              aria-posinset={row.index * columns + column + 1}
              className={classes.cell}
              style={{
                height: rowHeights[row.index],
                width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
                left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
                transform: `translateY(${row.start - scrollMargin}px)`,
              }}
            >
              {props.renderItem(item)}
            </div>
          )),
        )}
      </div>
    </div>
  )
}
