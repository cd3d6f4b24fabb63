import type { Space } from '@loci/contract/spaces'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useDeleteSpace } from './spaces.queries.ts'

type DeleteSpaceProps = { space: Space; onDeleted: () => void; onClose: () => void }

export function DeleteSpaceDialog({ opened, ...form }: DeleteSpaceProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Delete Space">
      <DeleteSpaceForm {...form} />
    </Modal>
  )
}

function DeleteSpaceForm({ space, onDeleted, onClose }: DeleteSpaceProps) {
  const [typed, setTyped] = useState('')
  const remove = useDeleteSpace()
  const matches = typed.trim() === space.name

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!matches) return
    const onSuccess = () => {
      notifySuccess('Space deleted')
      onClose()
      onDeleted()
    }
    remove.mutate(space.id, { onSuccess })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">
          This deletes {countOf(space.entities, 'entity', 'entities')},{' '}
          {countOf(space.observations, 'observation', 'observations')} and{' '}
          {countOf(space.relations, 'relation', 'relations')} with their whole history. It cannot be undone.
        </Text>
        {remove.error && <ErrorAlert message={messageOf(remove.error, 'Failed to delete the space')} />}
        <TextInput
          label={
            <>
              Type <bdi>{space.name}</bdi> to confirm
            </>
          }
          data-autofocus
          autoComplete="off"
          dir="auto"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red.7" loading={remove.isPending} disabled={!matches}>
            Delete Space
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
