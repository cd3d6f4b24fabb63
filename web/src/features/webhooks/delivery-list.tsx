import type { Delivery, DeliveryStatus } from '@loci/contract/webhooks'
import { Accordion, Badge, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { formatMoment } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { Section } from '../../ui/section.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { DeliveryDetails } from './delivery-details.tsx'
import classes from './webhooks.module.css'
import { useDeliveries } from './webhooks.queries.ts'

const filters = [
  { value: 'all', label: 'All' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
]

const colors = { delivered: 'green', pending: 'yellow', failed: 'red' } as const
const names = { delivered: 'Delivered', pending: 'Pending', failed: 'Failed' } as const

/** An endpoint's deliveries, newest first; each expands to its request and response. */
export function DeliveryList({ webhookId }: { webhookId: string }) {
  const [filter, setFilter] = useState('all')
  const query = useDeliveries(webhookId, filter === 'all' ? undefined : (filter as DeliveryStatus))
  return (
    <Section
      title="Deliveries"
      flush
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Status of deliveries"
          value={filter}
          onChange={setFilter}
          data={filters}
        />
      }
    >
      <Loaded query={query} failure="Failed to load deliveries" waiting={<Skeleton height={120} m="md" />}>
        {({ pages }) => (
          <Rows webhookId={webhookId} deliveries={pages.flatMap((page) => page.deliveries)} filter={filter} />
        )}
      </Loaded>
      <div className={classes.more}>
        <NextPage query={query} failure="Failed to load older deliveries">
          Show more
        </NextPage>
      </div>
    </Section>
  )
}

type RowsProps = { webhookId: string; deliveries: readonly Delivery[]; filter: string }

function Rows({ webhookId, deliveries, filter }: RowsProps) {
  const [opened, setOpened] = useState<string | null>(null)
  if (deliveries.length === 0) {
    return (
      <Text c="dimmed" p="md">
        {filter === 'all'
          ? 'Nothing here yet. Changes in the memory are sent within a second.'
          : `No ${filter} deliveries`}
      </Text>
    )
  }
  return (
    <Accordion className={classes.deliveries} value={opened} onChange={setOpened} order={3}>
      {deliveries.map((delivery) => (
        <Accordion.Item key={delivery.id} value={delivery.id}>
          <Accordion.Control>
            <span className={classes.row}>
              <Badge color={colors[delivery.status]} miw={82}>
                {names[delivery.status]}
              </Badge>
              <span className={classes.event}>{delivery.event}</span>
              <span className={classes.outcome}>{outcomeOf(delivery)}</span>
              <span className={classes.outcome}>
                <TimeText iso={delivery.createdAt} />
              </span>
            </span>
          </Accordion.Control>
          <Accordion.Panel>
            {opened === delivery.id && <DeliveryDetails webhookId={webhookId} deliveryId={delivery.id} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

function outcomeOf({ attempts, nextAttemptAt }: Delivery): string {
  const last = attempts.at(-1)
  if (nextAttemptAt && attempts.length > 0) return `Next attempt ${formatMoment(nextAttemptAt)}`
  if (last === undefined) return 'Being sent'
  return last.statusCode === null ? 'No response' : `${last.statusCode} in ${last.ms} ms`
}
