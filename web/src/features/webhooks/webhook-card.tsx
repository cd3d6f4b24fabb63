import type { Webhook } from '@loci/contract/webhooks'
import { Card, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { TimeText } from '../../ui/time-text.tsx'
import { eventsLabel } from './webhook-form.rules.ts'
import { problemOf, WebhookBadge } from './webhook-status.tsx'
import classes from './webhooks.module.css'

/** An endpoint in the list; links to its deliveries. */
export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const problem = problemOf(webhook)
  return (
    <Card component="article" padding="md">
      <header className={classes.head}>
        <h2 className={classes.name}>
          <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} className={classes.link}>
            {webhook.url}
          </Link>
        </h2>
        <WebhookBadge webhook={webhook} />
      </header>
      {webhook.description && <Text dir="auto">{webhook.description}</Text>}
      <WebhookFacts webhook={webhook} />
      {problem && (
        <Text size="sm" c="dimmed" mt={8}>
          {problem}
        </Text>
      )}
    </Card>
  )
}

export function WebhookFacts({ webhook: { events, lastSuccessAt, createdAt } }: { webhook: Webhook }) {
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Events</dt>
        <dd>{eventsLabel(events)}</dd>
      </div>
      <div>
        <dt>Last success</dt>
        <dd>{lastSuccessAt ? <TimeText iso={lastSuccessAt} /> : 'Never'}</dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <TimeText iso={createdAt} />
        </dd>
      </div>
    </dl>
  )
}
