import type { Entity, EntitySort } from '@loci/contract/entities'
import { Checkbox, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { EntityFilter } from '../../lib/filters.ts'
import { useTableRowHeight, useVirtualRows } from '../../ui/use-virtual-rows.ts'
import type { EntityAction } from './entity-menu.tsx'
import { isAscending, sortOf, toggleSort } from './entity-order.ts'
import { EntityRow } from './entity-row.tsx'
import classes from './entity-table.module.css'
import type { Selection } from './use-selection.ts'

type EntityTableProps = {
  entities: Entity[]
  total: number
  filter: EntityFilter
  /** Undefined if nothing can be changed. */
  selection: Selection | undefined
  onFilter: (filter: EntityFilter) => void
  onAction: (action: EntityAction, entity: Entity) => void
  onNearEnd: () => void
}

/** Any number of entities as rows, with a sortable head. */
export function EntityTable(props: EntityTableProps) {
  const { entities, total, filter, selection, onFilter, onAction, onNearEnd } = props
  const { anchor, rows, before, after } = useVirtualRows(entities, useTableRowHeight(), onNearEnd)
  const head = (sort: EntitySort, label: string, className?: string) => (
    <SortHead
      label={label}
      className={className}
      direction={
        sortOf(filter) === sort ? (isAscending(filter, sort) ? 'ascending' : 'descending') : undefined
      }
      onSort={filter.asOf === undefined ? () => onFilter(toggleSort(filter, sort)) : undefined}
    />
  )
  return (
    <div className={classes.frame} ref={anchor}>
      <table className={classes.table} aria-rowcount={total + 1} aria-label="Entities">
        <thead>
          <tr>
            {selection && (
              <th className={classes.check}>
                <SelectLoaded entities={entities} selection={selection} />
              </th>
            )}
            {head('name', 'Name')}
            <th className={classes.type}>Type</th>
            <th className={classes.fact}>Last observation</th>
            {head('facts', 'Observations', classes.figure)}
            {head('connected', 'Relations', classes.figure)}
            <th className={classes.writer}>Written by</th>
            {head('changed', 'Changed', classes.time)}
            {head('newest', 'Created', classes.created)}
            {selection && <th className={classes.menu} aria-label="Actions" />}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {rows.map(({ index }) => (
            <EntityRow
              key={entities[index]!.id}
              entity={entities[index]!}
              rowIndex={index + 2}
              isSelected={selection?.selected.has(entities[index]!.id) ?? false}
              onToggle={selection?.toggle}
              onAction={onAction}
            />
          ))}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

type SortHeadProps = {
  label: string
  className?: string | undefined
  direction: 'ascending' | 'descending' | undefined
  onSort: (() => void) | undefined
}

function SortHead({ label, className, direction, onSort }: SortHeadProps) {
  const Arrow = direction === 'ascending' ? IconArrowUp : IconArrowDown
  if (onSort === undefined) return <th className={className}>{label}</th>
  return (
    <th className={className} aria-sort={direction ?? 'none'}>
      <UnstyledButton className={classes.sort} data-sorted={direction !== undefined} onClick={onSort}>
        {label}
        <Arrow size={14} aria-hidden className={classes.arrow} />
      </UnstyledButton>
    </th>
  )
}

function SelectLoaded({ entities, selection }: { entities: Entity[]; selection: Selection }) {
  const count = entities.filter(({ id }) => selection.selected.has(id)).length
  return (
    <Checkbox
      size="xs"
      aria-label="Select all loaded"
      checked={count > 0 && count === entities.length}
      indeterminate={count > 0 && count < entities.length}
      onChange={() => (count > 0 ? selection.clear() : selection.add(entities))}
    />
  )
}
