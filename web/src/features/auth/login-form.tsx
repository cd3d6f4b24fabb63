import { ApiError } from '@loci/client/call'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { api } from '../../lib/api.ts'
import { readDeviceTokens } from '../../lib/device-tokens.ts'
import { isApiError } from '../../lib/errors.ts'
import { startSession } from '../../lib/session.ts'

const blankProblem = 'Please fill in all fields'

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const filled = email.trim() !== '' && password !== ''

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!filled) return setProblem(blankProblem)
    setPending(true)
    setProblem(undefined)
    try {
      startSession(await api.login({ body: { email, password, deviceTokens: readDeviceTokens() } }))
      onSignedIn()
    } catch (error) {
      setProblem(problemOf(error))
      setPending(false)
    }
  }

  /** Enter in a field submits nothing while the button is disabled. */
  function refuseBlank({ key }: KeyboardEvent) {
    if (key === 'Enter' && !filled) setProblem(blankProblem)
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput
          label="Email Address"
          type="email"
          autoComplete="email"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          onKeyDown={refuseBlank}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          onKeyDown={refuseBlank}
        />
        <Button type="submit" fullWidth loading={pending} disabled={!filled}>
          Sign In
        </Button>
      </Stack>
    </form>
  )
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Login failed. Please try again.'
  if (error.status === 401) return 'Invalid email or password. Please try again.'
  if (isApiError(error, 'rate_limited', 'user_suspended')) return error.message
  return 'Login failed. Please try again.'
}
