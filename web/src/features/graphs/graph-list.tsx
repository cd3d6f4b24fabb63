import type { GraphEntity } from '@loci/contract/graph'
import { type KeyboardEvent, memo, useMemo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { TypeBadge, TypeDot } from '../../ui/type-badge.tsx'
import classes from './graph-list.module.css'
import type { LiveGraph } from './live-graph.ts'
import { useGraphVersion } from './use-from-graph.ts'
import { useRowsInView } from './use-rows-in-view.ts'

type GraphListProps = {
  graph: LiveGraph
  hidden: ReadonlySet<string>
  hiddenNodes: readonly string[]
  selectedId: string | undefined
  /** The start of a path whose end is being picked. */
  startId: string | undefined
  onSelect: (id: string) => void
}

const rowHeight = 45

/** The nodes of the graph as a table, for keyboard and screen-reader users and anyone who prefers text. */
export function GraphList({ graph, hidden, hiddenNodes, selectedId, startId, onSelect }: GraphListProps) {
  const version = useGraphVersion(graph)
  // The graph changes in place, so depend on its version.
  const entities = useMemo(
    () => [...graph.entities()].filter(({ id, type }) => !hidden.has(type) && !hiddenNodes.includes(id)),
    [graph, version, hidden, hiddenNodes],
  )
  const { scroller, first, end } = useRowsInView(entities.length, rowHeight)
  const before = first * rowHeight
  const after = (entities.length - end) * rowHeight

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
          {entities.slice(first, end).map((entity, row) => (
            <Row
              key={entity.id}
              entity={entity}
              relations={graph.countRelationsAt(entity.id)}
              index={first + row}
              selected={entity.id === selectedId}
              start={entity.id === startId}
              onSelect={onSelect}
            />
          ))}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = {
  entity: GraphEntity
  relations: number
  index: number
  selected: boolean
  start: boolean
  onSelect: (id: string) => void
}

const Row = memo(function Row({ entity, relations, index, selected, start, onSelect }: RowProps) {
  const { id, name, type, observationsCount } = entity
  return (
    <tr aria-rowindex={index + 2} className={classes.row} data-selected={selected || undefined}>
      <td>
        <button
          type="button"
          className={classes.name}
          data-row={index}
          aria-pressed={selected}
          title={name}
          onClick={() => onSelect(id)}
          onKeyDown={moveFocus}
        >
          <span className={classes.dot}>
            <TypeDot type={type} />
          </span>
          <bdi className={classes.text}>{name}</bdi>
          {start && <span className={classes.start}>From here</span>}
        </button>
      </td>
      <td>
        <TypeBadge type={type} />
      </td>
      <td>{formatNumber(observationsCount)}</td>
      <td>{formatNumber(relations)}</td>
    </tr>
  )
})

/** Arrow keys move between rows; the rows near the focus are always rendered. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const row = Number(event.currentTarget.dataset.row) + step
  event.currentTarget.closest('table')?.querySelector<HTMLElement>(`[data-row="${row}"]`)?.focus()
}
