import type { AnalyticsSummary } from '@loci/contract/analytics'
import { limitsOfPlan } from '@loci/contract/plans'
import { Alert, Anchor, Badge, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { isCharging } from '../../lib/server-facts.ts'
import { Panel } from '../../ui/frame.tsx'
import { Meter } from '../../ui/meter.tsx'
import { nextPlanAfter, percentOf, planName, usageLevel, usedOf } from './usage.rules.ts'

/** The account's usage against its plan's limits. */
export function CurrentUsage({ summary }: { summary: AnalyticsSummary }) {
  const limits = limitsOfPlan(summary.userPlan)
  const rows = [
    { label: 'Entities', used: summary.totalEntities, limit: limits.maxEntities },
    { label: 'Operations this month', used: summary.monthlyUsage.total, limit: limits.maxQueries },
    { label: 'API Keys', used: summary.apiKeyCount, limit: limits.maxApiKeys },
  ]
  return (
    <Panel
      title="Current Usage"
      description={isCharging ? undefined : 'This server does not charge and sets no limits.'}
      aside={isCharging && <Badge color="gray">{planName(summary.userPlan)} plan</Badge>}
    >
      <Stack gap="sm">
        {rows.map(({ label, used, limit }) => (
          <Meter key={label} label={label} value={usedOf(used, limit)} percent={percentOf(used, limit)} />
        ))}
        <Meter
          label="Webhook Endpoints"
          value={
            limits.maxWebhooks === 0 ? 'Not available' : usedOf(summary.webhookCount, limits.maxWebhooks)
          }
          percent={percentOf(summary.webhookCount, limits.maxWebhooks)}
        />
        <UsageNotice summary={summary} />
      </Stack>
    </Panel>
  )
}

function UsageNotice({ summary }: { summary: AnalyticsSummary }) {
  const percent = percentOf(summary.totalEntities, limitsOfPlan(summary.userPlan).maxEntities)
  const level = usageLevel(percent)
  if (level === 'fine') return null
  const exceeded = level === 'exceeded'
  return (
    <Alert
      color={exceeded ? 'red' : 'yellow'}
      title={exceeded ? 'Limit Exceeded' : 'Approaching Limits'}
      icon={<IconAlertTriangle size={18} />}
    >
      You are using {Math.round(percent)}% of your entities.{' '}
      {exceeded
        ? 'Upgrade now to avoid service interruption.'
        : `Consider upgrading to ${nextPlanAfter(summary.userPlan)}.`}{' '}
      <Anchor component={Link} to="/billing" inherit c="inherit" underline="always">
        See plans
      </Anchor>
    </Alert>
  )
}
