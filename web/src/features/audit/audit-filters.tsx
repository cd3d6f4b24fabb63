import { NativeSelect } from '@mantine/core'
import type { AuditFilter } from '../../lib/filters.ts'
import classes from './audit.module.css'
import { categories } from './audit-words.ts'

const times = [
  { value: '', label: 'Any time' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'quarter', label: 'Last 90 days' },
]

type FiltersProps = {
  filter: AuditFilter
  /** People to filter by; the selected person may have left. */
  people: readonly { id: string; name: string }[]
  onChange: (filter: AuditFilter) => void
}

export function AuditFilters({ filter, people, onChange }: FiltersProps) {
  const { userId } = filter
  const isKnown = userId === undefined || people.some(({ id }) => id === userId)
  const choices = [
    { value: '', label: 'Everybody' },
    ...people.map(({ id, name }) => ({ value: id, label: name })),
    ...(isKnown ? [] : [{ value: userId, label: 'A former member' }]),
  ]
  return (
    <div className={classes.bar}>
      <NativeSelect
        aria-label="What happened"
        data={[{ value: '', label: 'Everything' }, ...categories]}
        value={filter.category ?? ''}
        onChange={(event) => onChange({ ...filter, category: orNothing(event.currentTarget.value) })}
      />
      <NativeSelect
        aria-label="Who did it"
        className={classes.people}
        data={choices}
        value={userId ?? ''}
        onChange={(event) => onChange({ ...filter, userId: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        aria-label="When"
        data={times}
        value={filter.since ?? ''}
        onChange={(event) => onChange({ ...filter, since: event.currentTarget.value || undefined })}
      />
    </div>
  )
}

const orNothing = (value: string) => categories.find((category) => category.value === value)?.value
