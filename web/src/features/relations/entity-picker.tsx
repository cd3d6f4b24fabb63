import { Group, Loader, Select } from '@mantine/core'
import { useState } from 'react'
import { useEntitiesFound } from '../../lib/entities-found.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import classes from './entity-picker.module.css'

export type PickedEntity = { id: string; name: string; type: string }

type EntityPickerProps = {
  label: string
  value: PickedEntity | undefined
  /** Picked at the other end, so it cannot be picked here. */
  excludedId: string | undefined
  disabled?: boolean
  autoFocus?: boolean
  error?: string
  onChange: (entity: PickedEntity | undefined) => void
}

/** Picks one entity out of any number: the server searches for the typed text. */
export function EntityPicker({
  label,
  value,
  excludedId,
  disabled,
  autoFocus,
  error,
  onChange,
}: EntityPickerProps) {
  const [text, setText] = useState(value?.name ?? '')
  const { entities: found, isFetching } = useEntitiesFound(text === value?.name ? '' : text, !disabled)
  const offered: PickedEntity[] =
    value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found
  const byId = new Map(offered.map((entity) => [entity.id, entity]))

  return (
    <Select
      label={label}
      withAsterisk
      searchable
      placeholder="Search entities..."
      nothingFoundMessage={isFetching ? 'Searching...' : 'No entities found'}
      disabled={disabled}
      data-autofocus={autoFocus || undefined}
      error={error}
      data={offered.map(({ id, name }) => ({ value: id, label: name, disabled: id === excludedId }))}
      // The server has already filtered and ranked.
      filter={({ options }) => options}
      // Until it has answered they are those of the words before.
      selectFirstOptionOnChange={text !== '' && !isFetching}
      searchValue={text}
      onSearchChange={setText}
      value={value?.id ?? null}
      onChange={(id) => onChange(id === null ? undefined : byId.get(id))}
      rightSection={isFetching && text !== '' ? <Loader size={14} /> : undefined}
      renderOption={({ option }) => (
        <Group gap={8} wrap="nowrap" className={classes.option}>
          <TypeDot type={byId.get(option.value)?.type ?? ''} />
          <bdi className={classes.name}>{option.label}</bdi>
          <span className={classes.type}>{byId.get(option.value)?.type}</span>
        </Group>
      )}
    />
  )
}
