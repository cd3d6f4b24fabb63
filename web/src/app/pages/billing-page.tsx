import { Badge, Group, SimpleGrid, Stack } from '@mantine/core'
import { useMonthlySummary, useUsage } from '../../features/analytics/analytics.queries.ts'
import { OperationDetails } from '../../features/analytics/operation-details.tsx'
import { percentOf, planName, usedOf } from '../../features/analytics/usage.rules.ts'
import { UsageBreakdown } from '../../features/analytics/usage-breakdown.tsx'
import { formatDate } from '../../lib/format.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'

export function BillingPage() {
  const { data: usage, error, refetch } = useUsage()
  const { data: month } = useMonthlySummary()
  const { queries = 0, creates = 0, updates = 0, deletes = 0 } = month?.breakdown ?? {}
  return (
    <Page title="Billing & Subscription" subtitle="Your plan and what you use of it.">
      {error && !usage && <ErrorAlert message="Failed to load usage data" onRetry={() => void refetch()} />}
      {!usage && !error && <LoadingText>Loading usage...</LoadingText>}
      {usage && (
        <Section
          title={
            <Group gap="xs">
              {planName(usage.plan)} plan <Badge color="green">active</Badge>
            </Group>
          }
          description={`Usage from ${formatDate(usage.periodStart)} to ${formatDate(usage.periodEnd)}`}
        >
          <PlanMeters usage={usage} />
        </Section>
      )}
      {month && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing={12}>
          <Section title="Monthly usage">
            <UsageBreakdown counts={{ queries, creates, updates, deletes, total: month.totalRequests }} />
          </Section>
          <Section title="Operation details">
            <OperationDetails details={month.details} />
          </Section>
        </SimpleGrid>
      )}
    </Page>
  )
}

function PlanMeters({ usage }: { usage: NonNullable<ReturnType<typeof useUsage>['data']> }) {
  const { limits } = usage
  return (
    <Stack gap="md">
      <Meter
        label="Entities"
        value={usedOf(usage.entities, limits.maxEntities)}
        percent={percentOf(usage.entities, limits.maxEntities)}
      />
      <Meter
        label="Operations"
        value={usedOf(usage.operations, limits.maxQueries)}
        percent={percentOf(usage.operations, limits.maxQueries)}
      />
      <Meter
        label="API Keys"
        value={usedOf(usage.apiKeys, limits.maxApiKeys)}
        percent={percentOf(usage.apiKeys, limits.maxApiKeys)}
      />
      <Meter
        label="Webhook Endpoints"
        value={limits.maxWebhooks === 0 ? 'Not available' : usedOf(usage.webhooks, limits.maxWebhooks)}
        percent={percentOf(usage.webhooks, limits.maxWebhooks)}
      />
    </Stack>
  )
}
