import { entityNameMax } from '@loci/contract/entities'
import { entityTypeMax, knownEntityTypes } from '@loci/contract/entity-types'
import { Autocomplete, Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useEntityTypes } from '../../lib/entity-types.ts'
import { fieldErrorsOf, isApiError, messageOf } from '../../lib/errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useSaveEntity } from './entities.queries.ts'

type NewEntityFormProps = {
  /** The type to start with. */
  type: string
  onCreated: (id: string) => void
  onCancel: () => void
}

/** Creates an entity where it is wanted: its name, type and first fact. */
export function NewEntityForm({ type: likely, onCreated, onCancel }: NewEntityFormProps) {
  const [name, setName] = useState('')
  const [type, setType] = useState(likely)
  const [fact, setFact] = useState('')
  const [isTried, setTried] = useState(false)
  const { data: types = [] } = useEntityTypes()
  const save = useSaveEntity()
  const notifyUndoable = useNotifyUndoable()
  useUnsaved(name !== '' || fact !== '', save.isPending)
  const offered = [...new Set([...types.map((one) => one.type), ...knownEntityTypes])]
  const refused = errorsOf(save.error)

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '' || type.trim() === '' || save.isPending) return
    const observations = fact.trim() === '' ? [] : [fact.trim()]
    save.mutate(
      { input: { name: name.trim(), type: type.trim(), metadata: {}, observations } },
      {
        onSuccess: ({ entity, setId }) => {
          notifyUndoable('Entity created successfully', setId)
          onCreated(entity.id)
        },
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <TextInput
          label="Name"
          withAsterisk
          data-autofocus
          dir="auto"
          maxLength={entityNameMax}
          value={name}
          error={refused.name ?? (isTried && name.trim() === '' && 'Name is required')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Autocomplete
          label="Type"
          withAsterisk
          data={offered}
          maxLength={entityTypeMax}
          value={type}
          error={refused.type ?? (isTried && type.trim() === '' && 'Type is required')}
          onChange={setType}
        />
        <Textarea
          label="First observation"
          dir="auto"
          autosize
          minRows={2}
          maxRows={6}
          value={fact}
          error={refused.observations}
          onChange={(event) => setFact(event.currentTarget.value)}
        />
        {save.error && Object.keys(refused).length === 0 && (
          <ErrorAlert message={messageOf(save.error, 'Failed to save entity')} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button size="xs" variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
          <Button size="xs" type="submit" loading={save.isPending}>
            Create Entity
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function errorsOf(error: unknown): Record<string, string> {
  return isApiError(error, 'entity_name_taken') ? { name: error.message } : fieldErrorsOf(error)
}
