import type { NewTotp, SecondFactors } from '@loci/contract/second-factors'
import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { CopyIcon } from '../../ui/copy-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import classes from './security.module.css'
import { useBeginTotp, useConfirmTotp } from './security.queries.ts'

type Props = { factors: SecondFactors; onClose: () => void }

/**
 * Asks for a proof of identity, then shows the QR code and asks for a code of the app, then shows any new
 * recovery codes.
 */
export function TotpSetup({ factors, onClose }: Props) {
  const [made, setMade] = useState<NewTotp>()
  const [codes, setCodes] = useState<string[]>()
  const begin = useBeginTotp()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onClose} />
  if (made !== undefined)
    return (
      <ScanAndConfirm
        made={made}
        onClose={onClose}
        onConfirmed={(fresh) => (fresh === null ? onClose() : setCodes(fresh))}
      />
    )
  return (
    <ProofForm
      factors={factors}
      submitLabel="Continue"
      onProof={async (proof) => setMade(await begin.mutateAsync(proof))}
      onCancel={onClose}
    />
  )
}

type ScanProps = { made: NewTotp; onConfirmed: (codes: string[] | null) => void; onClose: () => void }

function ScanAndConfirm({ made, onConfirmed, onClose }: ScanProps) {
  const [code, setCode] = useState('')
  const confirm = useConfirmTotp()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() === '') return
    confirm.mutate(
      { setup: made.setup, code },
      { onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes) },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">Scan this with your authenticator app, or type in the key.</Text>
        <QrCode text={made.uri} />
        <Group gap={4} wrap="nowrap" justify="center">
          <Code className={classes.key}>{made.secret.match(/.{1,4}/g)?.join(' ')}</Code>
          <CopyIcon value={made.secret} label="Copy key" />
        </Group>
        <TextInput
          label="Code"
          description="The six digits that the app shows."
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {confirm.error && <ErrorAlert message={messageOf(confirm.error, 'The app could not be set up')} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending} disabled={code.trim() === ''}>
            Turn On
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function QrCode({ text }: { text: string }) {
  const [cells, setCells] = useState<boolean[][]>([])
  useEffect(() => {
    void import('uqr').then(({ encode }) => setCells(encode(text, { border: 0 }).data))
  }, [text])
  const size = cells.length || 1
  const path = cells.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code with the key"
    >
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
