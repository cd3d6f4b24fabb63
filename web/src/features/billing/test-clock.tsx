import { Button, Group, Text } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { formatMomentInUtc, toIso } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { Section } from '../../ui/section.tsx'
import { useMoveTestClock, useTestClock } from './billing.queries.ts'

const daySeconds = 86_400

const steps = [
  { label: '1 day', days: 1 },
  { label: '1 week', days: 7 },
  { label: '30 days', days: 30 },
  { label: '1 year', days: 365 },
]

/** Moves the billing clock, so that renewals, failures and ends can be tested without waiting. */
export function TestClock() {
  const { data: now } = useTestClock()
  const move = useMoveTestClock()
  return (
    <Section
      title="Test clock"
      description="Moves billing forward for every account on this server. It cannot be moved back."
    >
      <Group gap="xs">
        <Text mr="xs">{now === undefined ? 'Loading...' : formatMomentInUtc(toIso(now))}</Text>
        {steps.map(({ label, days }) => (
          <Button
            key={label}
            variant="default"
            size="xs"
            loading={move.isPending && move.variables === days * daySeconds}
            disabled={move.isPending}
            onClick={() =>
              move.mutate(days * daySeconds, {
                onError: (error) => notifyError('Failed to move the clock', messageOf(error, '')),
              })
            }
          >
            Move ahead {label}
          </Button>
        ))}
      </Group>
    </Section>
  )
}
