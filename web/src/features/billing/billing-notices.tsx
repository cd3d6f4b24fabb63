import type { Subscription } from '@loci/contract/billing'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconExternalLink, IconInfoCircle } from '@tabler/icons-react'
import { formatMoment } from '../../lib/format.ts'
import { nameOfPlan } from './billing.rules.ts'

/** What the owner must know or do about the subscription. */
export function BillingNotices({ notices }: Pick<Subscription, 'notices'>) {
  return notices.map(({ code, message }) => (
    <Alert key={code} color="yellow" icon={<IconInfoCircle size={18} />} role="status">
      {message}
    </Alert>
  ))
}

/** An upgrade that waits until its payment is confirmed with the bank. */
export function PendingUpgrade({ pendingUpgrade }: Pick<Subscription, 'pendingUpgrade'>) {
  if (pendingUpgrade === null) return null
  const { plan, confirmUrl, expiresAt } = pendingUpgrade
  return (
    <Alert color="yellow" icon={<IconInfoCircle size={18} />} role="status" title="Confirm your payment">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Your bank wants you to confirm the payment for {nameOfPlan(plan)}. The plan changes once it is
          confirmed. If it is not confirmed by {formatMoment(new Date(expiresAt * 1_000).toISOString())},
          nothing changes and nothing is charged.
        </Text>
        {confirmUrl && (
          <Button
            component="a"
            href={confirmUrl}
            target="_blank"
            rel="noreferrer"
            size="xs"
            leftSection={<IconExternalLink size={14} />}
          >
            Confirm Payment
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
