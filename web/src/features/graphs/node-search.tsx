import { Loader, Select } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useEntitiesFound } from '../../lib/entities-found.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import classes from './node-search.module.css'

/** Finds an entity by name, whether or not the graph shows it, but none that waits for a review. */
export function NodeSearch({ onPick }: { onPick: (id: string) => void }) {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const { entities, isFetching } = useEntitiesFound(text, opened)
  const found = entities.filter(({ proposed }) => !proposed)
  const typeOf = new Map(found.map(({ id, type }) => [id, type]))
  return (
    <Select
      className={classes.search}
      aria-label="Search nodes"
      placeholder="Search nodes..."
      searchable
      size="xs"
      leftSection={<IconSearch size={16} />}
      rightSection={isFetching && text !== '' ? <Loader size={14} /> : <span />}
      nothingFoundMessage={isFetching ? 'Searching...' : 'No nodes found'}
      data={found.map(({ id, name }) => ({ value: id, label: name }))}
      // The server has already filtered and ranked.
      filter={({ options }) => options}
      // Until it has answered they are those of the words before.
      selectFirstOptionOnChange={text !== '' && !isFetching}
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      value={null}
      onChange={(id) => {
        if (id === null) return
        onPick(id)
        setText('')
      }}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <TypeDot type={typeOf.get(option.value) ?? ''} />
          <bdi className={classes.name}>{option.label}</bdi>
        </span>
      )}
    />
  )
}
