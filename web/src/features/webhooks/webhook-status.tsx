import { failingDaysMax, type Webhook } from '@loci/contract/webhooks'
import { Badge } from '@mantine/core'
import { formatMoment } from '../../lib/format.ts'

/** Whether an endpoint receives events, at a glance. */
export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  if (webhook.status === 'disabled') {
    return (
      <Badge color={webhook.disabledReason === 'owner' ? 'gray' : 'red'} miw="max-content">
        Disabled
      </Badge>
    )
  }
  return webhook.failingSince ? (
    <Badge color="yellow" miw="max-content">
      Failing
    </Badge>
  ) : (
    <Badge color="green" miw="max-content">
      Active
    </Badge>
  )
}

/** The problem that an endpoint's maintainer should know about; undefined if there is none. */
export function problemOf({ status, disabledReason, disabledAt, failingSince }: Webhook): string | undefined {
  if (status === 'active') {
    if (!failingSince) return undefined
    return `This endpoint has been failing since ${formatMoment(failingSince)}. It will be disabled after ${failingDaysMax} days without a success.`
  }
  const when = disabledAt ? ` on ${formatMoment(disabledAt)}` : ''
  const reasons = {
    failing: `It was disabled${when} after failing for ${failingDaysMax} days.`,
    gone: `It was disabled${when} because it answered 410 Gone.`,
    plan: `It was disabled${when} because your plan allows fewer endpoints.`,
    owner: `It was disabled${when}.`,
  }
  const reason = disabledReason ? reasons[disabledReason] : `It was disabled${when}.`
  return `This endpoint receives no events. ${reason} Once enabled, it receives the changes made from then on.`
}
