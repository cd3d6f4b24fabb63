import { passwordMin } from '@loci/contract/auth'
import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../lib/api.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { PasswordChecklist } from './password-checklist.tsx'

type Props = { token: string; onDone: () => void }

/** Sets a new password using a link's token. */
export function ResetPasswordForm({ token, onDone }: Props) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isOver, setOver] = useState(false)
  const [pending, setPending] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found = problemOf(password, confirmation)
    setProblem(found)
    if (found !== undefined) return
    setPending(true)
    try {
      await api.confirmPasswordReset({ body: { token, password } })
      onDone()
    } catch (error) {
      setProblem(messageOf(error, 'The password could not be set. Please try again.'))
      setOver(isApiError(error, 'link_not_found'))
      setPending(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {problem && <ErrorAlert message={problem} />}
        {isOver && (
          <Anchor component={Link} to="/forgot-password" size="sm">
            Ask for a new link
          </Anchor>
        )}
        <PasswordInput
          label="New Password"
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {password !== '' && <PasswordChecklist password={password} />}
        <PasswordInput
          label="Confirm New Password"
          autoComplete="new-password"
          value={confirmation}
          onChange={(event) => setConfirmation(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={pending} disabled={password === '' || confirmation === ''}>
          Set Password
        </Button>
      </Stack>
    </form>
  )
}

function problemOf(password: string, confirmation: string): string | undefined {
  if (password.length < passwordMin) return `Password must be at least ${passwordMin} characters long`
  return password === confirmation ? undefined : 'Passwords do not match'
}
