import type { Subscription } from '@loci/contract/billing'
import { basePlanId, freePlanId, selfHostedPlanId } from '@loci/contract/plans'
import { Badge, Button, Group, Text } from '@mantine/core'
import { toIso } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import { UtcDate } from '../../ui/utc-date.tsx'
import { isSetToChange, nameOfPlan, priceOfPlan } from './billing.rules.ts'
import classes from './current-plan.module.css'

/** The plan that the billing screen labels as the most popular. */
const popularPlanId = 'pro'

const wordOf: Record<Subscription['status'], string> = {
  active: 'active',
  trialing: 'trial',
  past_due: 'past due',
  incomplete: 'incomplete',
}

type CurrentPlanProps = {
  subscription: Subscription
  hasCard: boolean
  reactivating: boolean
  onChange: () => void
  onCancel: () => void
  onReactivate: () => void
}

export function CurrentPlan(props: CurrentPlanProps) {
  const { subscription, hasCard, reactivating, onChange, onCancel, onReactivate } = props
  const { plan, status, cancelAtPeriodEnd } = subscription
  const isPaid = plan !== freePlanId && plan !== selfHostedPlanId
  return (
    <Section
      title="Current Plan"
      aside={<Badge color={status === 'active' ? 'green' : 'orange'}>{wordOf[status]}</Badge>}
    >
      <Group gap="xs">
        <span className={classes.name}>{nameOfPlan(plan)}</span>
        {basePlanId(plan) === popularPlanId && <Badge color="iris">Most Popular</Badge>}
      </Group>
      <Text className={classes.price}>{priceOfPlan(plan)}</Text>
      <WhatComes subscription={subscription} hasCard={hasCard} />
      <Group gap="xs" mt="md">
        {plan !== selfHostedPlanId && <Button onClick={onChange}>Change Plan</Button>}
        {isSetToChange(subscription) && (
          <Button variant="default" loading={reactivating} onClick={onReactivate}>
            {cancelAtPeriodEnd ? 'Reactivate' : `Keep ${nameOfPlan(plan)}`}
          </Button>
        )}
        {isPaid && !cancelAtPeriodEnd && (
          <Button variant="default" c="var(--mantine-color-error)" onClick={onCancel}>
            Cancel Subscription
          </Button>
        )}
      </Group>
    </Section>
  )
}

/** The next important date and what happens then. */
function WhatComes({ subscription, hasCard }: { subscription: Subscription; hasCard: boolean }) {
  const { status, cancelAtPeriodEnd, pendingPlan, currentPeriodEnd, pastDue } = subscription
  if (currentPeriodEnd === null) return null
  if (pastDue !== null) return <WhatFailed nextTryAt={pastDue.nextTryAt} hasCard={hasCard} />
  const date = <UtcDate iso={toIso(currentPeriodEnd)} named />
  return (
    <div className={classes.dates}>
      {cancelAtPeriodEnd ? (
        <Text>Subscription ends on {date}</Text>
      ) : (
        <Text>
          Next billing date: {date}
          {pendingPlan !== null && `, when ${nameOfPlan(pendingPlan)} starts`}
        </Text>
      )}
      {status === 'trialing' && !cancelAtPeriodEnd && (
        <Text c="dimmed">
          Free trial until then.
          {!hasCard && ' Add a payment method before it ends, or your account returns to Free.'}
        </Text>
      )}
    </div>
  )
}

function WhatFailed({ nextTryAt, hasCard }: { nextTryAt: number | null; hasCard: boolean }) {
  return (
    <div className={classes.dates}>
      {nextTryAt !== null && (
        <Text>
          Next payment attempt: <UtcDate iso={toIso(nextTryAt)} named />
        </Text>
      )}
      <Text c="var(--mantine-color-error)">
        {hasCard ? 'Set another card as default' : 'Add a payment method'} to pay now.
      </Text>
    </div>
  )
}
