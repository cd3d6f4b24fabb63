import type { UsageResponse } from '@loci/contract/analytics'
import { SimpleGrid, Skeleton } from '@mantine/core'
import { countOf, formatBytes, formatDay } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Section } from '../../ui/section.tsx'
import { useMonthlySummary, useRealTimeStats, useUsage } from './analytics.queries.ts'
import { OperationDetails } from './operation-details.tsx'
import { percentOf, usedOf } from './usage.rules.ts'
import { UsageBreakdown } from './usage-breakdown.tsx'

/** What is used of the plan, and for what. */
export function PlanUsage() {
  const usage = useUsage()
  const { data: month } = useMonthlySummary()
  const { data: today } = useRealTimeStats()
  const { queries = 0, creates = 0, updates = 0, deletes = 0 } = month?.breakdown ?? {}
  return (
    <>
      <Loaded query={usage} failure="Failed to load usage data" waiting={<Skeleton height={150} />}>
        {(data) => (
          <Section
            title="Usage"
            description={`From ${formatDay(data.periodStart)} to ${formatDay(data.periodEnd)}`}
          >
            <PlanMeters usage={data} />
          </Section>
        )}
      </Loaded>
      {month && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing={12}>
          <Section
            title="Monthly usage"
            description={today && `${countOf(today.total, 'operation', 'operations')} today`}
          >
            <UsageBreakdown counts={{ queries, creates, updates, deletes, total: month.totalRequests }} />
          </Section>
          <Section title="Operation details">
            <OperationDetails details={month.details} />
          </Section>
        </SimpleGrid>
      )}
    </>
  )
}

function PlanMeters({ usage }: { usage: UsageResponse }) {
  const { limits } = usage
  const rows = [
    { label: 'Entities', used: usage.entities, limit: limits.maxEntities },
    { label: 'Operations', used: usage.operations, limit: limits.maxQueries },
    { label: 'API Keys', used: usage.apiKeys, limit: limits.maxApiKeys },
  ]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="md">
      {rows.map(({ label, used, limit }) => (
        <Meter key={label} label={label} value={usedOf(used, limit)} percent={percentOf(used, limit)} />
      ))}
      <Meter
        label="Stored Text"
        value={usedOf(usage.storedBytes, limits.maxBytes, formatBytes)}
        percent={percentOf(usage.storedBytes, limits.maxBytes)}
      />
      <Meter
        label="Webhook Endpoints"
        value={limits.maxWebhooks === 0 ? 'Not available' : usedOf(usage.webhooks, limits.maxWebhooks)}
        percent={percentOf(usage.webhooks, limits.maxWebhooks)}
      />
    </SimpleGrid>
  )
}
