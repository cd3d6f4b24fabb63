import { labelOfType } from '@loci/contract/lists'
import { Card, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { RelationFilter } from '../../lib/filters.ts'
import { formatNumber } from '../../lib/format.ts'
import classes from '../../ui/list-filters.module.css'
import { useRelationTypes } from './relations.queries.ts'

const typingPauseMs = 250

type RelationFiltersProps = { filter: RelationFilter; onChange: (filter: RelationFilter) => void }

export function RelationFilters({ filter, onChange }: RelationFiltersProps) {
  const { data: types = [] } = useRelationTypes()
  const [query, setQuery] = useState(filter.query ?? '')
  const apply = useDebouncedCallback(
    (text: string) => onChange({ ...filter, query: text.trim() || undefined }),
    typingPauseMs,
  )
  // Navigating the browser's history changes the filter from outside; trailing blanks are not such a change.
  useEffect(() => {
    setQuery((now) => (now.trim() === (filter.query ?? '') ? now : (filter.query ?? '')))
  }, [filter.query])

  const options = types.toSorted((a, b) => b.count - a.count)
  const known = !filter.type || options.some(({ type }) => type === filter.type)
  return (
    <Card component="search" padding="sm">
      <div className={classes.form}>
        <TextInput
          className={classes.text}
          aria-label="Search relations"
          placeholder="Search relations..."
          type="search"
          disabled={filter.asOf !== undefined}
          title={filter.asOf && 'Only the current state can be searched'}
          leftSection={<IconSearch size={16} />}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            apply(event.currentTarget.value)
          }}
        />
        <Select
          className={classes.type}
          aria-label="Relation type"
          allowDeselect={false}
          searchable={options.length > 8}
          data={[
            { value: '', label: 'All Types' },
            ...options.map(({ type, count }) => ({
              value: type,
              label: `${labelOfType(type)} (${formatNumber(count)})`,
            })),
            ...(known ? [] : [{ value: filter.type ?? '', label: `${labelOfType(filter.type ?? '')} (0)` }]),
          ]}
          value={filter.type ?? ''}
          onChange={(type) =>
            onChange({ ...filter, query: query.trim() || undefined, type: type || undefined })
          }
        />
      </div>
    </Card>
  )
}
