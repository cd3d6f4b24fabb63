import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../lib/errors.ts'

type NameDialogProps = {
  opened: boolean
  title: string
  label: string
  description?: string
  /** The initial name. */
  name?: string
  action: string
  maxLength: number
  /** Whether an empty name is allowed. */
  mayBeEmpty?: boolean
  onSubmit: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a name; keeps the typed text if saving fails. */
export function NameDialog({ opened, title, onClose, ...props }: NameDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="sm">
      {opened && <NameForm {...props} onClose={onClose} />}
    </Modal>
  )
}

type NameFormProps = Omit<NameDialogProps, 'opened' | 'title'>

function NameForm({ label, description, name = '', action, maxLength, mayBeEmpty, ...on }: NameFormProps) {
  const [value, setValue] = useState(name)
  const [error, setError] = useState<string>()
  const [saving, setSaving] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    try {
      await on.onSubmit(value.trim())
      on.onClose()
    } catch (problem) {
      setError(messageOf(problem, 'Could not be saved'))
    } finally {
      setSaving(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextInput
        data-autofocus
        label={label}
        description={description}
        maxLength={maxLength}
        value={value}
        error={error}
        onChange={(event) => {
          setValue(event.currentTarget.value)
          setError(undefined)
        }}
      />
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={on.onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={saving} disabled={!mayBeEmpty && value.trim() === ''}>
          {action}
        </Button>
      </Group>
    </form>
  )
}
