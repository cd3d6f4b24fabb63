import { ActionIcon, Button, Card, Select, TextInput, Tooltip } from '@mantine/core'
import { IconPalette, IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useEntityTypes } from '../../lib/entity-types.ts'
import type { EntityFilter } from '../../lib/filters.ts'
import { formatNumber } from '../../lib/format.ts'
import classes from '../../ui/list-filters.module.css'

const allTypes = 'All Types'

type EntityFiltersProps = {
  filter: EntityFilter
  onChange: (filter: EntityFilter) => void
  /** Opens the dialog that renames and colours types; undefined if nothing can be changed. */
  onEditTypes: (() => void) | undefined
}

export function EntityFilters({ filter, onChange, onEditTypes }: EntityFiltersProps) {
  const { data: types = [] } = useEntityTypes()
  const [query, setQuery] = useState(filter.query ?? '')
  // Navigating the browser's history changes the filter from outside.
  useEffect(() => setQuery(filter.query ?? ''), [filter.query])

  function submit(event: FormEvent) {
    event.preventDefault()
    onChange({ ...filter, query: query.trim() || undefined })
  }

  const options = types.map(({ type, count }) => ({ value: type, label: `${type} (${formatNumber(count)})` }))
  const listed = !filter.type || types.some(({ type }) => type === filter.type)
  return (
    <Card component="search" padding="sm">
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          className={classes.text}
          aria-label="Search entities"
          placeholder="Search entities..."
          type="search"
          disabled={filter.asOf !== undefined}
          title={filter.asOf && 'Only the current state can be searched'}
          leftSection={<IconSearch size={16} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Select
          className={classes.type}
          aria-label="Entity type"
          searchable={options.length > 8}
          allowDeselect={false}
          data={[
            { value: '', label: allTypes },
            ...options,
            ...(listed ? [] : [{ value: filter.type ?? '', label: `${filter.type} (0)` }]),
          ]}
          value={filter.type ?? ''}
          onChange={(type) =>
            onChange({ ...filter, query: query.trim() || undefined, type: type || undefined })
          }
        />
        {onEditTypes && (
          <Tooltip label="Rename and colour types">
            <ActionIcon variant="default" size={32} aria-label="Edit types" onClick={onEditTypes}>
              <IconPalette size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        <Button type="submit" variant="default" disabled={filter.asOf !== undefined}>
          Search
        </Button>
      </form>
    </Card>
  )
}
