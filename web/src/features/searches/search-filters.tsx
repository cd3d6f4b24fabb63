import { Button, Card, Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import type { SearchFilter } from '../../lib/query-keys.ts'
import classes from './search-filters.module.css'
import { useTypeOptions } from './searches.queries.ts'

type SearchFiltersProps = { filter: SearchFilter; onChange: (filter: SearchFilter) => void }

export function SearchFilters({ filter, onChange }: SearchFiltersProps) {
  const { data: types = [] } = useTypeOptions()
  const [query, setQuery] = useState(filter.query ?? '')
  useEffect(() => setQuery(filter.query ?? ''), [filter.query])

  const change = (part: SearchFilter) => onChange({ ...filter, query: query.trim() || undefined, ...part })
  function submit(event: FormEvent) {
    event.preventDefault()
    change({})
  }

  return (
    <Card component="search" padding="sm">
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          className={classes.text}
          aria-label="Search knowledge"
          placeholder="What do your agents know about..."
          type="search"
          size="md"
          autoFocus
          leftSection={<IconSearch size={18} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Button type="submit" size="md">
          Search
        </Button>
        <div className={classes.filters}>
          <Select
            aria-label="Entity type"
            className={classes.filter}
            allowDeselect={false}
            searchable={types.length > 8}
            data={[
              { value: '', label: 'All Types' },
              ...types.map(({ type, label }) => ({ value: type, label })),
              ...(!filter.type || types.some(({ type }) => type === filter.type) ? [] : [filter.type]),
            ]}
            value={filter.type ?? ''}
            onChange={(type) => change({ type: type || undefined })}
          />
          <TextInput
            type="date"
            label="From"
            className={classes.date}
            value={filter.after ?? ''}
            max={filter.before}
            onChange={(event) => change({ after: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            label="Until"
            className={classes.date}
            value={filter.before ?? ''}
            min={filter.after}
            onChange={(event) => change({ before: event.currentTarget.value || undefined })}
          />
        </div>
      </form>
    </Card>
  )
}
