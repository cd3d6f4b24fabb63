import type { Proof, SecondFactors } from '@loci/contract/second-factors'
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { fieldErrorsOf, messageOf } from '../../lib/errors.ts'
import { findPasskeyProblem, isDismissed, passkeyHint } from '../../lib/passkeys.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import classes from './security.module.css'
import { proveWithPasskey } from './security.queries.ts'

type Props = {
  factors: SecondFactors
  submitLabel: string
  /** Shown above the fields. */
  children?: ReactNode
  disabled?: boolean
  onProof: (proof: Proof) => Promise<unknown>
  onCancel: () => void
}

const failed = 'This could not be done. Please try again.'

/** Verifies the user's identity before a change of sign-in methods: by password and code, or by passkey. */
export function ProofForm({ factors, submitLabel, children, disabled = false, onProof, onCancel }: Props) {
  const { totp, passkeys } = factors
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>()
  const [pending, setPending] = useState<'password' | 'passkey'>()
  const needsCode = totp !== null || passkeys.length > 0
  const filled = password !== '' && (!needsCode || code.trim() !== '')
  const byField = fieldErrorsOf(error)

  async function run(kind: 'password' | 'passkey', prove: () => Promise<Proof>) {
    setPending(kind)
    setError(undefined)
    try {
      await onProof(await prove())
    } catch (thrown) {
      if (!isDismissed(thrown)) setError(thrown)
    } finally {
      setPending(undefined)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (filled && !disabled) void run('password', async () => ({ password, ...(needsCode ? { code } : {}) }))
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {children}
        {error !== undefined && !byField.password && !byField.code && (
          <ErrorAlert message={messageOf(error, findPasskeyProblem(error) ?? failed)} />
        )}
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus={children === undefined ? true : undefined}
          value={password}
          error={byField.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {needsCode && (
          <TextInput
            label="Code"
            description={
              totp === null
                ? 'One of your recovery codes.'
                : 'From your authenticator app, or a recovery code.'
            }
            autoComplete="one-time-code"
            value={code}
            error={byField.code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="xs">
          {passkeys.length > 0 && passkeyHint() === undefined && (
            <Button
              variant="default"
              mr="auto"
              className={classes.wide}
              leftSection={<IconFingerprint size={16} />}
              loading={pending === 'passkey'}
              disabled={disabled}
              onClick={() => void run('passkey', proveWithPasskey)}
            >
              Use a Passkey
            </Button>
          )}
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={pending === 'password'} disabled={!filled || disabled}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
