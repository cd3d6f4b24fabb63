import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'

/** Requests a link to set a new password. The reply is the same whether or not a user has that email. */
export function ForgotPasswordForm({ email: givenEmail }: { email: string }) {
  const [email, setEmail] = useState(givenEmail)
  const [sentTo, setSentTo] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setPending(true)
    setProblem(undefined)
    try {
      await api.requestPasswordReset({ body: { email } })
      setSentTo(email.trim())
    } catch (error) {
      setProblem(messageOf(error, 'The link could not be sent. Please try again.'))
    }
    setPending(false)
  }

  if (sentTo !== undefined)
    return (
      <Alert color="green" title="Check your email" role="status">
        If there is an account for {sentTo}, a link to set a new password is on its way. It is valid for one
        hour.
      </Alert>
    )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {problem && <ErrorAlert message={problem} />}
        <TextInput
          label="Email Address"
          type="email"
          autoComplete="email"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={pending} disabled={email.trim() === ''}>
          Send Link
        </Button>
      </Stack>
    </form>
  )
}
