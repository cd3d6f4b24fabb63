import type { Observation } from '@loci/contract/observations'
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatTime } from '../../lib/format.ts'
import { formatDayName, formatExact } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { ObservationEditor } from './observation-editor.tsx'
import { ObservationRow } from './observation-row.tsx'
import classes from './timeline.module.css'
import type { TimelineRow } from './timeline.rules.ts'

type TimelineProps = {
  entityId: string
  rows: readonly TimelineRow[]
  /** The observation being edited, as it was when editing began. */
  edited: Observation | undefined
  /** Observations that arrived while the page was open. */
  fresh: ReadonlySet<string>
  isReadOnly: boolean
  find: (id: string) => Observation | undefined
  onEdit: (observation: Observation | undefined) => void
}

const rowHeight = { day: 32, observation: 58 }
/** Short lists are rendered whole. */
const overscanRows = 40

/** Observations along a line that breaks at each day; only those near the window are rendered. */
export function Timeline({ entityId, rows, edited, fresh, isReadOnly, find, onEdit }: TimelineProps) {
  const { anchor, virtualizer } = useRows(rows, edited?.id)
  const items = virtualizer.getVirtualItems()
  const { scrollMargin } = virtualizer.options
  return (
    <div ref={anchor}>
      <ol className={classes.timeline} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index]!
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.row}
              data-kind={row.kind}
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
            >
              {row.kind === 'day' ? (
                <Day iso={row.iso} />
              ) : (
                <div
                  className={classes.entry}
                  data-newest={index === 1 || undefined}
                  data-last={row.isLastOfDay || undefined}
                  data-fresh={fresh.has(row.key) || undefined}
                  data-before={row.isBefore || undefined}
                >
                  <time className={classes.time} dateTime={row.observation.createdAt}>
                    {formatTime(row.observation.createdAt)}
                  </time>
                  {edited?.id === row.key ? (
                    <ObservationEditor
                      entityId={entityId}
                      observation={edited}
                      current={find(row.key)}
                      onClose={() => onEdit(undefined)}
                    />
                  ) : (
                    <ObservationRow
                      entityId={entityId}
                      observation={row.observation}
                      isReadOnly={isReadOnly}
                      onEdit={() => onEdit(row.observation)}
                    />
                  )}
                </div>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function Day({ iso }: { iso: string }) {
  const now = useNow()
  return (
    <h3 className={classes.day} title={formatExact(iso)}>
      {formatDayName(iso, now)}
    </h3>
  )
}

/** The rows near the window; the list can start anywhere on the page, and move while it is shown. */
function useRows(rows: readonly TimelineRow[], editedId: string | undefined) {
  const anchor = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const measure = () => {
    const top = anchor.current?.getBoundingClientRect().top
    if (top !== undefined) setScrollMargin(Math.round(top + window.scrollY))
  }
  useLayoutEffect(measure)
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  })
  // The row being edited stays rendered wherever the page is scrolled.
  const kept = editedId === undefined ? -1 : rows.findIndex(({ key }) => key === editedId)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      return kept === -1 || indexes.includes(kept) ? indexes : [...indexes, kept].sort((a, b) => a - b)
    },
    [kept],
  )
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => rowHeight[rows[index]!.kind],
    getItemKey: (index) => rows[index]!.key,
    overscan: overscanRows,
    rangeExtractor,
    scrollMargin,
  })
  return { anchor, virtualizer }
}
