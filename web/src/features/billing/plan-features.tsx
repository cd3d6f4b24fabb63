import type { PlanFeatures as Features } from '@loci/contract/billing'
import { unlimited } from '@loci/contract/plans'
import { IconCheck } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import classes from './plan-features.module.css'

export function PlanFeatures({ features }: { features: Features }) {
  const limits = [
    ['Max Entities', features.maxEntities],
    ['Operations/Month', features.maxQueries],
    ['API Keys', features.maxApiKeys],
    ['Webhook Endpoints', features.maxWebhooks],
  ] as const
  return (
    <Section title="Plan Features">
      <dl className={classes.limits}>
        {limits.map(([label, limit]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{limit === unlimited ? 'Unlimited' : formatNumber(limit)}</dd>
          </div>
        ))}
      </dl>
      <ul className={classes.included} aria-label="Included">
        {features.features.map((feature) => (
          <li key={feature}>
            <IconCheck size={15} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
    </Section>
  )
}
