import type { TestCard } from '@loci/contract/billing'
import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useConfirmTestCard } from './billing.queries.ts'
import { type CardFields, readCard } from './test-card.rules.ts'
import { TestNumbers } from './test-numbers.tsx'

type TestCardFormProps = { clientSecret: string; onAdded: () => void; onClose: () => void }

/** Replaces a gateway's card form in test mode; takes test numbers only. */
export function TestCardForm({ clientSecret, onAdded, onClose }: TestCardFormProps) {
  const [fields, setFields] = useState<CardFields>({ number: '', expiry: '', cvc: '' })
  const [problem, setProblem] = useState<string>()
  const [asked, setAsked] = useState<TestCard>()
  const confirm = useConfirmTestCard()
  useUnsaved(Object.values(fields).some(Boolean), confirm.isPending)

  function send(card: TestCard, challenge?: 'completed' | 'failed') {
    const body = { ...card, clientSecret, ...(challenge && { challenge }) }
    confirm.mutate(body, {
      onSuccess: ({ status }) => (status === 'succeeded' ? onAdded() : setAsked(card)),
      onError: (error) => {
        setAsked(undefined)
        setProblem(messageOf(error, 'Failed to add payment method'))
      },
    })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const card = readCard(fields)
    setProblem(typeof card === 'string' ? card : undefined)
    if (typeof card !== 'string') send(card)
  }

  const change = (change: Partial<CardFields>) => {
    setProblem(undefined)
    setFields((now) => ({ ...now, ...change }))
  }

  if (asked) {
    return <Challenge pending={confirm.isPending} onAnswer={(challenge) => send(asked, challenge)} />
  }
  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <Stack gap="md">
        <Alert
          role="note"
          color="yellow"
          icon={<IconFlask size={18} />}
          title="Test mode: no real money moves"
        >
          Never enter a real card here. Pick a test card:
          <TestNumbers onPick={(number) => change({ number, expiry: '12/34', cvc: '123' })} />
        </Alert>
        {problem && <ErrorAlert message={problem} />}
        <TextInput
          label="Card number"
          placeholder="4242 4242 4242 4242"
          inputMode="numeric"
          maxLength={32}
          data-autofocus
          value={fields.number}
          onChange={(event) => change({ number: event.currentTarget.value })}
        />
        <SimpleGrid cols={2} spacing="sm">
          <TextInput
            label="Expires (MM/YY)"
            placeholder="12/34"
            maxLength={9}
            value={fields.expiry}
            onChange={(event) => change({ expiry: event.currentTarget.value })}
          />
          <TextInput
            label="Security code"
            placeholder="123"
            inputMode="numeric"
            maxLength={4}
            value={fields.cvc}
            onChange={(event) => change({ cvc: event.currentTarget.value })}
          />
        </SimpleGrid>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            Add Card
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type ChallengeProps = { pending: boolean; onAnswer: (answer: 'completed' | 'failed') => void }

/** Simulates a bank's challenge. */
function Challenge({ pending, onAnswer }: ChallengeProps) {
  return (
    <Stack gap="md">
      <div>
        <Text fw={600}>Your bank asks: is it you?</Text>
        <Text c="dimmed">Test mode: a real bank would ask for a code or a fingerprint here.</Text>
      </div>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" disabled={pending} onClick={() => onAnswer('failed')}>
          Fail authentication
        </Button>
        <Button loading={pending} onClick={() => onAnswer('completed')}>
          Complete authentication
        </Button>
      </Group>
    </Stack>
  )
}
