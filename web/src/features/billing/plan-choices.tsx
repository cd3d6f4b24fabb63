import type { Plan } from '@loci/contract/billing'
import { unlimited } from '@loci/contract/plans'
import { Badge, Radio, Stack, Text } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import { shortDollars } from './billing.rules.ts'
import classes from './plan-choices.module.css'

type PlanChoicesProps = {
  plans: Plan[]
  currentPlanId: string
  value: string
  onChange: (planId: string) => void
}

/** One card per plan, with one selected. */
export function PlanChoices({ plans, currentPlanId, value, onChange }: PlanChoicesProps) {
  return (
    <Radio.Group value={value} onChange={onChange} label="Plan" labelProps={{ className: 'loci-unseen' }}>
      <Stack gap="xs">
        {plans.map((plan) => (
          <Radio.Card key={plan.id} value={plan.id} className={classes.card} aria-label={labelOf(plan)}>
            <Radio.Indicator color="iris" />
            <span className={classes.main}>
              <span className={classes.name}>
                {plan.name}
                {plan.popular && <Badge color="iris">Most Popular</Badge>}
                {/* Gray would vanish on the gray of a selected card. */}
                {plan.id === currentPlanId && <Badge variant="default">Current</Badge>}
              </span>
              <Text span size="xs" c="dimmed" display="block">
                {limitsOf(plan)}
              </Text>
            </span>
            <span className={classes.price}>
              <strong>{shortDollars(plan.price)}</strong>
              {plan.interval && `/${plan.interval}`}
              {plan.interval === 'year' && (
                <Text span size="xs" c="dimmed" display="block">
                  {shortDollars(Math.round(plan.price / 12))}/month
                </Text>
              )}
            </span>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  )
}

function labelOf({ name, price, interval }: Plan): string {
  return interval === null ? name : `${name}, ${shortDollars(price)} a ${interval}`
}

function limitsOf({ features }: Plan): string {
  const { maxEntities, maxQueries } = features
  return `${countOf(maxEntities)} entities, ${countOf(maxQueries)} operations a month`
}

function countOf(limit: number): string {
  return limit === unlimited ? 'Unlimited' : formatNumber(limit)
}
