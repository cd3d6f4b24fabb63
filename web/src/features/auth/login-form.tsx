import type { SecondStep } from '@loci/contract/second-factors'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { canOfferQuietly, isDismissed, passkeyHint, stopOffering } from '../../lib/passkeys.ts'
import { problemOf, signIn, signInWithPasskey } from './sign-in.ts'

const blankProblem = 'Please fill in all fields'

type LoginFormProps = {
  email: string
  onEmailChange: (email: string) => void
  onSignedIn: () => void
  /** The password was right, but another step is required. */
  onSecondStep: (step: SecondStep) => void
}

export function LoginForm({ email, onEmailChange, onSignedIn, onSecondStep }: LoginFormProps) {
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
      const step = await signIn(email, password)
      if (step === undefined) onSignedIn()
      else onSecondStep(step)
    } catch (error) {
      setProblem(problemOf(error))
      setPending(false)
    }
  }

  async function withPasskey(quietly = false) {
    setProblem(undefined)
    try {
      await signInWithPasskey(quietly)
      onSignedIn()
    } catch (error) {
      if (!quietly && !isDismissed(error)) setProblem(messageOf(error, 'Login failed. Please try again.'))
    }
  }

  const offer = useEffectEvent(() => void withPasskey(true))
  useEffect(() => {
    let left = false
    void canOfferQuietly().then((can) => can && !left && offer())
    return () => {
      left = true
      if (passkeyHint() === undefined) void stopOffering()
    }
  }, [])

  /** Enter does nothing while the button is disabled, so say what is missing. */
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
          autoComplete="email webauthn"
          autoFocus
          value={email}
          onChange={(event) => onEmailChange(event.currentTarget.value)}
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
        {passkeyHint() === undefined && (
          <Button
            variant="default"
            fullWidth
            leftSection={<IconFingerprint size={18} />}
            onClick={() => void withPasskey()}
          >
            Sign In with a Passkey
          </Button>
        )}
      </Stack>
    </form>
  )
}
