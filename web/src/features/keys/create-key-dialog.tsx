import type { CreateApiKey, NewApiKey } from '@loci/contract/keys'
import { Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useCreateKey } from './keys.queries.ts'

type CreateKeyDialogProps = { opened: boolean; onClose: () => void; onCreated: (key: NewApiKey) => void }

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

const permissionLists: Record<string, CreateApiKey['permissions']> = {
  all: [],
  read: ['memory:read'],
}
const permissionOptions = [
  { value: 'all', label: 'Read and write' },
  { value: 'read', label: 'Read only' },
]

export function CreateKeyDialog({ opened, onClose, onCreated }: CreateKeyDialogProps) {
  return (
    <FormModal opened={opened} onClose={onClose} title="Create API Key">
      <CreateKeyForm onClose={onClose} onCreated={onCreated} />
    </FormModal>
  )
}

function CreateKeyForm({ onClose, onCreated }: Omit<CreateKeyDialogProps, 'opened'>) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const [permissions, setPermissions] = useState('all')
  const [chosen, setChosen] = useState<string[]>([])
  const { data: spaces = [] } = useSpaces()
  const create = useCreateKey()
  useUnsaved(name !== '', create.isPending)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return
    create.mutate(
      {
        name: name.trim(),
        permissions: permissionLists[permissions]!,
        ...(chosen.length === 0 ? {} : { spaces: chosen }),
        expiresAt: days === '' ? null : inDays(Number(days)),
      },
      {
        onSuccess: (key) => {
          onCreated(key)
          onClose()
        },
      },
    )
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {create.error && <ErrorAlert message={messageOf(create.error, 'Failed to create API key')} />}
        <TextInput
          label="Name"
          placeholder="Claude Code on my laptop"
          data-autofocus
          maxLength={128}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Permissions"
          description="Agents with a read-only key are not shown the tools that write."
          data={permissionOptions}
          allowDeselect={false}
          value={permissions}
          onChange={(value) => setPermissions(value ?? 'all')}
        />
        {spaces.length > 1 && (
          <MultiSelect
            label="Spaces"
            description="Calls that name no space reach the first one."
            placeholder={chosen.length === 0 ? 'All spaces' : ''}
            data={spaces.map((space) => ({ value: space.id, label: space.name }))}
            searchable
            hidePickedOptions
            value={chosen}
            onChange={setChosen}
          />
        )}
        <Select
          label="Expires"
          data={lifetimes}
          allowDeselect={false}
          value={days}
          onChange={(value) => setDays(value ?? '')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Create API Key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
