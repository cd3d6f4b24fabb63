import { Button, Menu } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useRedeliverFailed } from './webhooks.queries.ts'

const hourMs = 3_600_000
const spans = [
  { label: 'Of the last hour', ms: hourMs },
  { label: 'Of the last 24 hours', ms: 24 * hourMs },
  { label: 'Of the last 7 days', ms: 7 * 24 * hourMs },
  // Deliveries are kept for 30 days.
  { label: 'All that failed', ms: 31 * 24 * hourMs },
]

/** Sends all deliveries again that failed within a span of time. */
export function RedeliverFailed({ webhookId }: { webhookId: string }) {
  const redeliver = useRedeliverFailed(webhookId)
  const onSuccess = ({ count }: { count: number }) =>
    notifySuccess(
      count === 0
        ? 'No delivery failed in that time'
        : `Sending ${countOf(count, 'failed delivery', 'failed deliveries')} again`,
    )
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} />}
            loading={redeliver.isPending}
          >
            Redeliver Failed
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {spans.map(({ label, ms }) => (
            <Menu.Item key={label} onClick={() => redeliver.mutate(ms, { onSuccess })}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {redeliver.error && (
        <ErrorAlert message={messageOf(redeliver.error, 'Failed to send the failed deliveries again')} />
      )}
    </>
  )
}
