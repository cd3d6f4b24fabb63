import type { Observation } from '@loci/contract/observations'
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatHeldInYear } from '../../lib/fact-time.ts'
import { formatTime } from '../../lib/format.ts'
import { everyRow, useIsPrinting } from '../../lib/printing.ts'
import { formatDayName, formatExact } from '../../lib/relative-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { yearOf } from './held.rules.ts'
import { ObservationEditor } from './observation-editor.tsx'
import { ObservationRow } from './observation-row.tsx'
import classes from './timeline.module.css'
import type { TimelineRow } from './timeline.rules.ts'
import type { Facts } from './use-facts.ts'

type TimelineProps = {
  entityId: string
  rows: readonly TimelineRow[]
  /** Observations that arrived while the page was open. */
  fresh: ReadonlySet<string>
  isReadOnly: boolean
  facts: Facts
  find: (id: string) => Observation | undefined
  onUnfold: (top: string) => void
}

const rowHeight = { day: 32, year: 32, observation: 58 }
/** Short lists are rendered whole. */
const overscanRows = 40

/** Observations along a line that breaks at each heading; only those near the window are rendered. */
export function Timeline({ rows, ...props }: TimelineProps) {
  const { edited } = props.facts
  const { anchor, virtualizer } = useRows(rows, edited?.id)
  const items = virtualizer.getVirtualItems()
  const { scrollMargin } = virtualizer.options
  return (
    <div ref={anchor}>
      <ol
        className={classes.timeline}
        data-placed
        data-years={rows[0]?.kind === 'year' || undefined}
        style={{ height: virtualizer.getTotalSize() }}
      >
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
              {row.kind === 'observation' ? (
                <Entry row={row} isNewest={index === 1} hasYears={rows[0]?.kind === 'year'} {...props} />
              ) : row.kind === 'day' ? (
                <Day iso={row.iso} />
              ) : (
                <h3 className={classes.year}>{new Date(row.iso).getUTCFullYear()}</h3>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

type EntryProps = Omit<TimelineProps, 'rows'> & {
  row: Extract<TimelineRow, { kind: 'observation' }>
  isNewest: boolean
  hasYears: boolean
}

function Entry({ row, isNewest, hasYears, entityId, fresh, isReadOnly, facts, find, onUnfold }: EntryProps) {
  const { observation, before } = row
  const { edited, draft, selected } = facts
  const head = before === undefined ? observation : (find(before.top) ?? before.by)
  const isEdited = !isReadOnly && edited?.id === row.key
  const began = isEdited && draft?.meaning === 'replaced' ? { at: draft.at, until: draft.until } : undefined
  return (
    <div
      className={classes.entry}
      data-newest={(!hasYears && isNewest) || undefined}
      data-last={row.isLast || undefined}
      data-fresh={fresh.has(row.key) || undefined}
      data-before={before !== undefined || undefined}
      data-selected={
        (hasYears && (selected === row.key || (before && selected === before.by.id))) || undefined
      }
      data-stale={observation.stale !== undefined || undefined}
    >
      <time className={classes.time} dateTime={observation.createdAt}>
        {hasYears
          ? timeOf({ ...observation, ...began }, before !== undefined, yearOf(head))
          : formatTime(observation.createdAt)}
      </time>
      {isEdited ? (
        <ObservationEditor
          entityId={entityId}
          observation={edited}
          current={find(row.key)}
          also={facts.also}
          onDraft={facts.setDraft}
          onClose={() => facts.edit(undefined)}
        />
      ) : (
        <ObservationRow
          entityId={entityId}
          observation={observation}
          isReadOnly={isReadOnly}
          isSelected={hasYears && selected === row.key}
          before={before}
          onSelect={hasYears ? () => facts.select(row.key) : undefined}
          onUnfold={before && (() => onUnfold(before.top))}
          onEdit={() => facts.edit(observation)}
        />
      )}
    </div>
  )
}

/** `since Sep` below the year in which it began; what was replaced says when it ended. */
function timeOf(observation: Observation, isBefore: boolean, year: number): string {
  const { until, createdAt } = observation
  const held = isBefore && until !== undefined ? { until } : observation
  const stored = createdAt.slice(0, 'yyyy-mm-dd'.length)
  return formatHeldInYear(held, year) ?? formatHeldInYear({ at: stored, until: stored }, year) ?? stored
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
  const isPrinting = useIsPrinting()
  const rangeExtractor = useCallback(
    (range: Range) => {
      if (isPrinting) return everyRow(range)
      const indexes = defaultRangeExtractor(range)
      return kept === -1 || indexes.includes(kept) ? indexes : [...indexes, kept].sort((a, b) => a - b)
    },
    [kept, isPrinting],
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
