import type { UsageResponse } from '@loci/contract/analytics'
import { SimpleGrid, Skeleton } from '@mantine/core'
import { countOf, formatBytes, formatDay } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Section } from '../../ui/section.tsx'
import { emptySummary, useAnalytics, useUsage } from './analytics.queries.ts'
import { OperationDetails } from './operation-details.tsx'
import { percentOf, usedOf } from './usage.rules.ts'
import { UsageBreakdown } from './usage-breakdown.tsx'
import { UsageDays } from './usage-days.tsx'

/** Usage of the plan, by kind of operation. */
export function PlanUsage() {
  const usageQuery = useUsage()
  // All figures come from one response: separate requests would each count the ones before them.
  const { data, isPending } = useAnalytics()
  const { todayApiCalls, monthlyUsage, billingData } = data ?? emptySummary
  return (
    <>
      <Loaded query={usageQuery} failure="Failed to load usage data" waiting={<Skeleton height={150} />}>
        {(usage) => (
          <Section
            title="Usage"
            description={`From ${formatDay(usage.periodStart)} to ${formatDay(usage.periodEnd)}`}
          >
            <PlanMeters usage={usage} operations={data?.monthlyUsage.total ?? usage.operations} />
          </Section>
        )}
      </Loaded>
      <UsageDays />
      {!isPending && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing={12}>
          <Section
            title="Monthly usage"
            description={`${countOf(todayApiCalls, 'operation', 'operations')} today`}
          >
            <UsageBreakdown counts={monthlyUsage} />
          </Section>
          <Section title="Operation details">
            <OperationDetails details={billingData.details} />
          </Section>
        </SimpleGrid>
      )}
    </>
  )
}

function PlanMeters({ usage, operations }: { usage: UsageResponse; operations: number }) {
  const { limits } = usage
  const rows = [
    { label: 'Entities', used: usage.entities, limit: limits.maxEntities },
    { label: 'Operations', used: operations, limit: limits.maxQueries },
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
