import type { DeliveryDetail } from '@loci/contract/webhooks'
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { messageOf } from '../../lib/errors.ts'
import { formatMoment } from '../../lib/format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import classes from './webhooks.module.css'
import { useDelivery, useRedeliver } from './webhooks.queries.ts'

/** A delivery's attempts, body and response, and a button to send it again. */
export function DeliveryDetails({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const query = useDelivery(webhookId, deliveryId)
  const redeliver = useRedeliver(webhookId)
  return (
    <Loaded query={query} failure="Failed to load this delivery" waiting={<Skeleton height={160} />}>
      {(delivery) => (
        <Stack gap="md">
          {redeliver.error && (
            <ErrorAlert message={messageOf(redeliver.error, 'Failed to send this delivery again')} />
          )}
          <Attempts delivery={delivery} />
          <Part title="Body" text={delivery.body ? indented(delivery.body) : null} copied={delivery.body}>
            This change is no longer stored.
          </Part>
          <Part title="Response" text={delivery.answer || null}>
            {delivery.answer === '' ? 'The response was empty.' : 'No response yet.'}
          </Part>
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={14} />}
              loading={redeliver.isPending}
              onClick={() => redeliver.mutate(deliveryId)}
            >
              Redeliver
            </Button>
            <Text size="xs" c="dimmed">
              webhook-id {delivery.eventId}
            </Text>
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}

function Attempts({ delivery: { attempts, nextAttemptAt } }: { delivery: DeliveryDetail }) {
  return (
    <div>
      <Title order={4} size="h6" mb={6}>
        Attempts
      </Title>
      {attempts.length === 0 && <Text c="dimmed">Being sent.</Text>}
      <ol className={classes.attempts}>
        {attempts.map(({ at, statusCode, ms, error }) => (
          <li key={at}>
            <time dateTime={at}>{formatMoment(at)}</time>: {error ?? `Answered ${statusCode}`}, {ms} ms
          </li>
        ))}
      </ol>
      {nextAttemptAt && attempts.length > 0 && (
        <Text c="dimmed" mt={4}>
          Next attempt {formatMoment(nextAttemptAt)}
        </Text>
      )}
    </div>
  )
}

type PartProps = { title: string; text: string | null; copied?: string | null; children: string }

/** A text that can be long; `children` replace it if it is empty. */
function Part({ title, text, copied, children }: PartProps) {
  return (
    <div>
      <Group justify="space-between" mb={6} mih={30}>
        <Title order={4} size="h6">
          {title}
        </Title>
        {copied && <CopyButton value={copied} label={`Copy ${title.toLowerCase()}`} />}
      </Group>
      {text === null ? (
        <Text c="dimmed">{children}</Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <pre className={`${classes.code} ${classes.wrapped}`} tabIndex={0}>
          {text}
        </pre>
      )}
    </div>
  )
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
