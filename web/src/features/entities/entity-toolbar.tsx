import type { EntitySort } from '@loci/contract/entities'
import { SegmentedControl, Select } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconLayoutGrid, IconTable } from '@tabler/icons-react'
import type { EntityFilter } from '../../lib/filters.ts'
import { countOf } from '../../lib/format.ts'
import { orders, sortOf, withSort } from './entity-order.ts'
import classes from './entity-toolbar.module.css'

export type EntityView = 'cards' | 'table'

/** Cards or a table, as last chosen in this browser. */
export function useEntityView() {
  return useLocalStorage<EntityView>({
    key: 'loci.entities.view',
    defaultValue: 'cards',
    getInitialValueInEffect: false,
  })
}

type EntityToolbarProps = {
  total: number
  filter: EntityFilter
  view: EntityView
  onFilter: (filter: EntityFilter) => void
  onView: (view: EntityView) => void
}

/** The number of entities, their order and the choice of view. */
export function EntityToolbar({ total, filter, view, onFilter, onView }: EntityToolbarProps) {
  const sort = sortOf(filter)
  const relevance = filter.query && !filter.asOf ? [{ value: '', label: 'Relevance' }] : []
  return (
    <div className={classes.bar}>
      <b className={classes.count} role="status">
        {countOf(total, 'entity', 'entities')}
      </b>
      <Select
        className={classes.sort}
        aria-label="Sort by"
        allowDeselect={false}
        disabled={filter.asOf !== undefined}
        data={[...relevance, ...orders]}
        value={sort ?? ''}
        onChange={(value) => onFilter(withSort(filter, value ? (value as EntitySort) : undefined))}
      />
      <SegmentedControl
        size="sm"
        aria-label="View"
        data={[
          { value: 'cards', label: <Label icon={<IconLayoutGrid size={14} aria-hidden />} text="Cards" /> },
          { value: 'table', label: <Label icon={<IconTable size={14} aria-hidden />} text="Table" /> },
        ]}
        value={view}
        onChange={(next) => onView(next as EntityView)}
      />
    </div>
  )
}

const Label = ({ icon, text }: { icon: React.ReactNode; text: string }) => (
  <span className={classes.label}>
    {icon}
    {text}
  </span>
)
