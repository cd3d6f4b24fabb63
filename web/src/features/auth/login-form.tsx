import { ApiError } from '@loci/client/call'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../../lib/api.ts'
import { startSession } from '../../lib/session.ts'

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (email.trim() === '' || password === '') return setProblem('Please fill in all fields')
    setPending(true)
    setProblem(undefined)
    try {
      startSession(await api.login({ body: { email, password } }))
      onSignedIn()
    } catch (error) {
      setProblem(problemOf(error))
      setPending(false)
    }
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
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={pending} disabled={email === '' || password === ''}>
          Sign In
        </Button>
      </Stack>
    </form>
  )
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Login failed. Please try again.'
  if (error.status === 401) return 'Invalid email or password. Please try again.'
  return error.status === 429 ? error.message : 'Login failed. Please try again.'
}
