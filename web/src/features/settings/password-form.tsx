import { passwordMin } from '@loci/contract/auth'
import { Button, Group, PasswordInput, SimpleGrid, Stack } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { fieldErrorsOf, messageOf } from '../../lib/errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { KeysAfterPassword } from './keys-after-password.tsx'
import { useChangePassword } from './settings.queries.ts'

const empty = { currentPassword: '', newPassword: '', confirmation: '' }

export function PasswordForm() {
  const [values, setValues] = useState(empty)
  const [problem, setProblem] = useState<string>()
  const [isChanged, setIsChanged] = useState(false)
  const change = useChangePassword()
  const [fieldProblems, setFieldProblems] = useState<Record<string, string>>({})
  const inputs = useRef<Partial<Record<string, HTMLInputElement | null>>>({})
  useUnsaved(Object.values(values).some(Boolean), change.isPending)
  const filled = Object.values(values).every((value) => value !== '')

  const field = (name: keyof typeof empty) => ({
    ref: (input: HTMLInputElement | null) => {
      inputs.current[name] = input
    },
    value: values[name],
    error: fieldProblems[name],
    'aria-invalid': fieldProblems[name] !== undefined,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setProblem(undefined)
      setFieldProblems({})
      setValues((previous) => ({ ...previous, [name]: value }))
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const { confirmation, ...body } = values
    const found = problemOf(body.newPassword, confirmation)
    setProblem(found)
    if (found !== undefined) return
    change.mutate(body, {
      onSuccess: () => {
        setValues(empty)
        setIsChanged(true)
        notifySuccess('Password changed; other sessions were signed out')
      },
      onError: (error) => {
        const byField = fieldErrorsOf(error)
        const [first] = Object.keys(byField)
        setFieldProblems(byField)
        // Shown at the field, where a screen reader announces it on focus.
        if (first === undefined) setProblem(messageOf(error, 'Failed to change password'))
        else inputs.current[first]?.focus()
      },
    })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {problem && <ErrorAlert message={problem} />}
        {isChanged && <KeysAfterPassword onClose={() => setIsChanged(false)} />}
        <PasswordInput
          label="Current Password"
          autoComplete="current-password"
          {...field('currentPassword')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <PasswordInput label="New Password" autoComplete="new-password" {...field('newPassword')} />
          <PasswordInput
            label="Confirm New Password"
            autoComplete="new-password"
            {...field('confirmation')}
          />
        </SimpleGrid>
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending} disabled={!filled}>
            Change Password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function problemOf(password: string, confirmation: string): string | undefined {
  if (password.length < passwordMin) return `Password must be at least ${passwordMin} characters long`
  return password === confirmation ? undefined : 'Passwords do not match'
}
