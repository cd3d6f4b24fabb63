import { labelOfType } from '@loci/contract/lists'
import type { CreateRelation, Relation } from '@loci/contract/relations'
import { Button, Group, Select, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { isChanged, useUnsaved } from '../../lib/unsaved.ts'
import { useFocusInvalid } from '../../ui/use-focus-invalid.ts'
import { EntityPicker, type PickedEntity } from './entity-picker.tsx'
import { offeredTypes, type RelationFormErrors, validateRelation } from './relation-form.rules.ts'
import { useRelationTypes } from './relations.queries.ts'

type RelationFormProps = {
  relation?: Relation
  pending: boolean
  notice?: ReactNode
  onSubmit: (input: CreateRelation) => void
  onCancel: () => void
}

export function RelationForm({ relation, pending, notice, onSubmit, onCancel }: RelationFormProps) {
  const [from, setFrom] = useState(endOf(relation?.fromEntityId, relation?.fromEntity))
  const [to, setTo] = useState(endOf(relation?.toEntityId, relation?.toEntity))
  const [type, setType] = useState(relation?.type ?? '')
  const [errors, setErrors] = useState<RelationFormErrors>({})
  const editing = relation !== undefined
  const changed = isChanged(
    [from?.id, to?.id, type],
    [relation?.fromEntityId, relation?.toEntityId, relation?.type ?? ''],
  )
  useUnsaved(changed, pending)
  const form = useRef<HTMLFormElement>(null)
  useFocusInvalid(form, errors)
  const { data: types = [] } = useRelationTypes()

  function submit(event: FormEvent) {
    event.preventDefault()
    const input = { fromEntityId: from?.id ?? '', toEntityId: to?.id ?? '', type: type.trim() }
    const found = validateRelation(input)
    setErrors(found)
    if (Object.keys(found).length === 0) onSubmit(input)
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <EntityPicker
          label="From Entity"
          value={from}
          excludedId={to?.id}
          disabled={editing}
          autoFocus={!editing}
          error={errors.fromEntityId}
          onChange={setFrom}
        />
        <Select
          label="Relation Type"
          withAsterisk
          searchable
          limit={200}
          placeholder="Select a relation type"
          data-autofocus={editing || undefined}
          data={toOptions(
            types.map((known) => known.type),
            type,
          )}
          value={type || null}
          error={errors.type}
          onChange={(value) => setType(value ?? '')}
        />
        <EntityPicker
          label="To Entity"
          value={to}
          excludedId={from?.id}
          disabled={editing}
          error={errors.toEntityId}
          onChange={setTo}
        />
        {notice}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={pending}>
            {editing ? 'Save Changes' : 'Create Relation'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Two types can share a label (`part_of`, `part-of`): the second adds its exact spelling. */
function toOptions(ofAccount: readonly string[], current: string) {
  const labels = new Set<string>()
  return offeredTypes(current, ofAccount).map((value) => {
    const label = labelOfType(value)
    const isTaken = labels.has(label)
    labels.add(label)
    return { value, label: isTaken ? `${label} (${value})` : label }
  })
}

function endOf(id?: string, end?: Relation['fromEntity']): PickedEntity | undefined {
  return id !== undefined && end ? { id, ...end } : undefined
}
