import type { SecondStep } from '@loci/contract/second-factors'
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { isDismissed, passkeyHint } from '../../lib/passkeys.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { finishWithCode, finishWithPasskey } from './sign-in.ts'

type Props = { step: SecondStep; onSignedIn: () => void; onBack: () => void }

/** The step after the password: an authenticator code, a passkey or a recovery code. */
export function SecondStepForm({ step, onSignedIn, onBack }: Props) {
  const { token, methods } = step
  const [recovers, setRecovers] = useState(!methods.includes('totp') && !methods.includes('passkey'))
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState<'code' | 'passkey'>()
  const usesPasskey = methods.includes('passkey') && passkeyHint() === undefined
  const asksForCode = recovers || methods.includes('totp')

  async function run(kind: 'code' | 'passkey', finish: () => Promise<void>) {
    setPending(kind)
    setProblem(undefined)
    try {
      await finish()
      onSignedIn()
    } catch (error) {
      if (!isDismissed(error)) setProblem(messageOf(error, 'Login failed. Please try again.'))
      setPending(undefined)
    }
  }

  function swap() {
    setRecovers(!recovers)
    setCode('')
    setProblem(undefined)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() !== '') void run('code', () => finishWithCode(token, code))
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {problem && <ErrorAlert message={problem} />}
        {usesPasskey && (
          <Button
            variant={asksForCode ? 'default' : 'filled'}
            leftSection={<IconFingerprint size={18} />}
            loading={pending === 'passkey'}
            onClick={() => void run('passkey', () => finishWithPasskey(token))}
          >
            Use a Passkey
          </Button>
        )}
        {asksForCode && (
          <>
            <TextInput
              key={String(recovers)}
              label={recovers ? 'Recovery Code' : 'Code'}
              description={recovers ? 'Each works once.' : 'Six digits from your authenticator app.'}
              autoComplete="one-time-code"
              inputMode={recovers ? 'text' : 'numeric'}
              autoFocus
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <Button type="submit" fullWidth loading={pending === 'code'} disabled={code.trim() === ''}>
              Sign In
            </Button>
          </>
        )}
        <Text size="sm" c="dimmed" ta="center">
          {(recovers ? methods.includes('totp') : methods.includes('recovery_code')) && (
            <>
              <Anchor component="button" type="button" size="sm" onClick={swap}>
                {recovers ? 'Use your authenticator app' : 'Use a recovery code'}
              </Anchor>
              {' · '}
            </>
          )}
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            Start again
          </Anchor>
        </Text>
      </Stack>
    </form>
  )
}
