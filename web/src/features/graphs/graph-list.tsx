import type { GraphData } from '@loci/contract/graph'
import { UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { TypeBadge, TypeDot } from '../../ui/type-badge.tsx'
import { countRelations } from './graph-facts.ts'
import classes from './graph-list.module.css'

type GraphListProps = {
  graph: GraphData
  hidden: ReadonlySet<string>
  selectedId: string | undefined
  onSelect: (id: string) => void
}

const rowHeight = 44
const overscanRows = 10

/** The nodes of the graph as a table: for keyboards, screen readers, and whoever prefers to read. */
export function GraphList({ graph, hidden, selectedId, onSelect }: GraphListProps) {
  const entities = useMemo(() => graph.entities.filter(({ type }) => !hidden.has(type)), [graph, hidden])
  const relationCounts = useMemo(() => countRelations(graph), [graph])
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: entities.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: overscanRows,
  })
  const rows = virtualizer.getVirtualItems()
  const before = rows[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0)

  return (
    <div ref={scroller} className={classes.scroller}>
      <table className={classes.table} aria-label="Nodes" aria-rowcount={entities.length + 1}>
        <thead>
          <tr>
            <th>Name</th>
            <th>Type</th>
            <th>Observations</th>
            <th>Relations</th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {rows.map(({ index }) => {
            const entity = entities[index]!
            return (
              <tr
                key={entity.id}
                aria-rowindex={index + 2}
                className={classes.row}
                data-selected={entity.id === selectedId || undefined}
              >
                <td>
                  <UnstyledButton
                    className={classes.name}
                    data-row={index}
                    aria-pressed={entity.id === selectedId}
                    title={entity.name}
                    onClick={() => onSelect(entity.id)}
                    onKeyDown={moveFocus}
                  >
                    <span className={classes.dot}>
                      <TypeDot type={entity.type} />
                    </span>
                    <bdi className={classes.text}>{entity.name}</bdi>
                  </UnstyledButton>
                </td>
                <td>
                  <TypeBadge type={entity.type} />
                </td>
                <td>{formatNumber(entity.observationsCount)}</td>
                <td>{formatNumber(relationCounts.get(entity.id) ?? 0)}</td>
              </tr>
            )
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

/** The arrows go from row to row; the rows near the focus are always drawn. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const row = Number(event.currentTarget.dataset.row) + step
  event.currentTarget.closest('table')?.querySelector<HTMLElement>(`[data-row="${row}"]`)?.focus()
}
