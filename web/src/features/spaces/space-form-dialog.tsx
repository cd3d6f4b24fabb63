import type { Space } from '@loci/contract/spaces'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useSaveSpace } from './spaces.queries.ts'

const nameMax = 64

type SpaceFormProps = {
  /** The space to rename; undefined for a new one. */
  space: Space | undefined
  onSaved: (space: Space) => void
  onClose: () => void
}

export function SpaceFormDialog({ opened, ...form }: SpaceFormProps & { opened: boolean }) {
  return (
    <FormModal opened={opened} onClose={form.onClose} title={form.space ? 'Rename Space' : 'Create Space'}>
      <SpaceForm {...form} />
    </FormModal>
  )
}

function SpaceForm({ space, onSaved, onClose }: SpaceFormProps) {
  const [name, setName] = useState(space?.name ?? '')
  const save = useSaveSpace()
  const isBlank = name.trim() === ''
  useUnsaved(name !== (space?.name ?? ''), save.isPending)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBlank) return
    const onSuccess = (saved: Space) => {
      notifySuccess(space ? 'Space renamed' : 'Space created')
      onClose()
      onSaved(saved)
    }
    save.mutate({ id: space?.id, name: name.trim() }, { onSuccess })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {save.error && <ErrorAlert message={messageOf(save.error, 'Failed to save the space')} />}
        <TextInput
          label="Name"
          description={
            space ? undefined : 'A space is a memory of its own. Nothing in it is seen from another.'
          }
          data-autofocus
          dir="auto"
          maxLength={nameMax}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={isBlank}>
            {space ? 'Save Changes' : 'Create Space'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
