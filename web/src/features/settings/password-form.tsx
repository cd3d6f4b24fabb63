import { passwordMin } from '@loci/contract/auth'
import { Button, Group, PasswordInput, SimpleGrid, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldErrorsOf, messageOf } from '../../lib/errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { KeysAfterPassword } from './keys-after-password.tsx'
import { useChangePassword } from './settings.queries.ts'

const empty = { currentPassword: '', newPassword: '', confirmation: '' }

export function PasswordForm() {
  const [values, setValues] = useState(empty)
  const [problem, setProblem] = useState<string>()
  const [isChanged, setIsChanged] = useState(false)
  const change = useChangePassword()
  const fieldProblems = problem === undefined ? {} : fieldErrorsOf(change.error)
  const filled = Object.values(values).every((value) => value !== '')

  const field = (name: keyof typeof empty) => ({
    value: values[name],
    error: fieldProblems[name] !== undefined,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setProblem(undefined)
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
      onError: (error) => setProblem(messageOf(error, 'Failed to change password')),
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
