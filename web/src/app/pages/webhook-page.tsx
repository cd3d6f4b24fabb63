import type { Webhook } from '@loci/contract/webhooks'
import { oldSecretHours } from '@loci/contract/webhooks'
import { Alert, Button, Card, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconSend } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DeliveryList } from '../../features/webhooks/delivery-list.tsx'
import { RedeliverFailed } from '../../features/webhooks/redeliver-failed.tsx'
import { VerifyHint } from '../../features/webhooks/verify-hint.tsx'
import { WebhookActions } from '../../features/webhooks/webhook-actions.tsx'
import { WebhookFacts } from '../../features/webhooks/webhook-card.tsx'
import { problemOf, WebhookBadge } from '../../features/webhooks/webhook-status.tsx'
import { useSendTest, useWebhook } from '../../features/webhooks/webhooks.queries.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretBanner } from '../../ui/secret-banner.tsx'
import classes from './webhook-page.module.css'

const route = getRouteApi('/app/webhooks/$webhookId')

export function WebhookPage() {
  const { webhookId } = route.useParams()
  const { data, error, refetch } = useWebhook(webhookId)
  const missing = isApiError(error, 'webhook_not_found')
  return (
    <Page title="Webhook Endpoint" actions={<BackToList />}>
      {error && (
        <ErrorAlert
          message={missing ? 'Endpoint not found' : messageOf(error, 'Failed to load the endpoint')}
          onRetry={missing ? undefined : () => void refetch()}
        />
      )}
      {!data && !error && <LoadingText>Loading endpoint...</LoadingText>}
      {data && !missing && <WebhookView webhook={data} />}
    </Page>
  )
}

function BackToList() {
  return (
    <Button
      component={Link}
      to="/webhooks"
      variant="subtle"
      size="compact-sm"
      leftSection={<IconArrowLeft size={15} />}
    >
      All endpoints
    </Button>
  )
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const [secret, setSecret] = useState<string>()
  const test = useSendTest(webhook.id)
  const problem = problemOf(webhook)
  return (
    <>
      {problem && (
        <Alert color={webhook.status === 'active' ? 'yellow' : 'red'} icon={<IconAlertTriangle size={18} />}>
          {problem}
        </Alert>
      )}
      {secret && (
        <SecretBanner
          title="Secret rolled"
          secret={secret}
          copyLabel="Copy secret"
          onDismiss={() => setSecret(undefined)}
        >
          Save this signing secret now - you won't be able to see it again! For {oldSecretHours} hours, events
          are also signed with the old one.
        </SecretBanner>
      )}
      {test.error && <ErrorAlert message={messageOf(test.error, 'Failed to send a test event')} />}
      <div className={classes.columns}>
        <div className={classes.column}>
          <Card component="section" aria-label="Endpoint" padding="md">
            <Group justify="space-between" wrap="nowrap" gap="md">
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                {webhook.url}
              </Text>
              <WebhookBadge webhook={webhook} />
            </Group>
            {webhook.description && <Text dir="auto">{webhook.description}</Text>}
            <WebhookFacts webhook={webhook} />
            <Group gap="xs" mt="md">
              <Button
                size="xs"
                leftSection={<IconSend size={14} />}
                loading={test.isPending}
                onClick={() => test.mutate()}
              >
                Send Test Event
              </Button>
              {webhook.status === 'active' && <RedeliverFailed webhookId={webhook.id} />}
              <WebhookActions webhook={webhook} onRolled={setSecret} />
            </Group>
          </Card>
          <DeliveryList webhookId={webhook.id} />
        </div>
        <VerifyHint />
      </div>
    </>
  )
}
