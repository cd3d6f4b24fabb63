import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useDeleteAccount } from './settings.queries.ts'

type DeleteAccountProps = {
  /** What ends besides the memory. */
  notice: ReactNode
}

export function DeleteAccount({ notice }: DeleteAccountProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Group justify="space-between" gap="sm">
      <Text c="dimmed" flex="1 1 260px">
        Deletes the account with all entities, observations, relations and keys. This cannot be undone.
      </Text>
      <Button color="red" variant="light" onClick={() => setOpened(true)}>
        Delete Account
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Delete Account">
        <DeleteAccountForm notice={notice} onCancel={() => setOpened(false)} />
      </Modal>
    </Group>
  )
}

function DeleteAccountForm({ notice, onCancel }: DeleteAccountProps & { onCancel: () => void }) {
  const [password, setPassword] = useState('')
  const remove = useDeleteAccount()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (password !== '') remove.mutate(password)
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">
          Everything your agents remember is deleted immediately and permanently. {notice}
        </Text>
        {remove.error && <ErrorAlert message={messageOf(remove.error, 'Failed to delete the account')} />}
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color="red.7" loading={remove.isPending} disabled={password === ''}>
            Delete Account
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
