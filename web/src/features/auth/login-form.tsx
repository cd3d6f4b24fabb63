import type { PasskeyProof, SecondStep } from '@loci/contract/second-factors'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { canOfferQuietly, isDismissed, passkeyHint, stopOffering } from '../../lib/passkeys.ts'
import { choosePasskey, problemOf, signIn, signInWithPasskey } from './sign-in.ts'

/** The server accepts what it offered for five minutes. */
const offerLifeMs = 4 * 60_000

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
  const [pending, setPending] = useState<'password' | 'passkey'>()
  const [offers, setOffers] = useState(0)
  const filled = email.trim() !== '' && password !== ''

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!filled) return setProblem(blankProblem)
    setPending('password')
    setProblem(undefined)
    try {
      const step = await signIn(email, password)
      if (step === undefined) onSignedIn()
      else onSecondStep(step)
    } catch (error) {
      setProblem(problemOf(error))
      setPending(undefined)
    }
  }

  async function withPasskey(choose: () => Promise<PasskeyProof>, onFailed?: () => void) {
    setProblem(undefined)
    setPending('passkey')
    try {
      await signInWithPasskey(await choose())
      onSignedIn()
    } catch (error) {
      if (!isDismissed(error)) setProblem(messageOf(error, 'Login failed. Please try again.'))
      setPending(undefined)
      onFailed?.()
    }
  }

  const offerAgain = () => setOffers((count) => count + 1)
  const offer = useEffectEvent(async () => {
    const passkey = await choosePasskey(true).catch(() => undefined)
    if (passkey) await withPasskey(async () => passkey)
  })
  const renewOffer = useEffectEvent(() => {
    if (pending !== 'passkey') offerAgain()
  })
  useEffect(() => {
    let left = false
    void canOfferQuietly().then((can) => {
      if (can && !left) void offer()
    })
    const renewal = setTimeout(() => renewOffer(), offerLifeMs)
    return () => {
      left = true
      clearTimeout(renewal)
      if (passkeyHint() === undefined) void stopOffering()
    }
  }, [offers])

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
        <Button type="submit" fullWidth loading={pending === 'password'} disabled={!filled}>
          Sign In
        </Button>
        {passkeyHint() === undefined && (
          <Button
            variant="default"
            fullWidth
            leftSection={<IconFingerprint size={18} />}
            loading={pending === 'passkey'}
            // The dialog ends the offer.
            onClick={() => void withPasskey(choosePasskey, offerAgain)}
          >
            Sign In with a Passkey
          </Button>
        )}
      </Stack>
    </form>
  )
}
