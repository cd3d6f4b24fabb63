import type { PlanFeatures as Features } from '@loci/contract/billing'
import { unlimited } from '@loci/contract/plans'
import { IconCheck } from '@tabler/icons-react'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import classes from './plan-features.module.css'

/** Limits are shown as figures, so the list leaves them out. */
const isNoLimit = (feature: string) => !/^(\d|Unlimited )/.test(feature)

export function PlanFeatures({ features }: { features: Features }) {
  const limits = [
    ['Max Entities', features.maxEntities, formatNumber],
    ['Stored Text', features.maxBytes, formatBytes],
    ['Operations/Month', features.maxQueries, formatNumber],
    ['API Keys', features.maxApiKeys, formatNumber],
    ['Webhook Endpoints', features.maxWebhooks, formatNumber],
  ] as const
  return (
    <Section title="Plan Features">
      <dl className={classes.limits}>
        {limits.map(([label, limit, format]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{limit === unlimited ? 'Unlimited' : format(limit)}</dd>
          </div>
        ))}
      </dl>
      <ul className={classes.included} aria-label="Included">
        {features.features.filter(isNoLimit).map((feature) => (
          <li key={feature}>
            <IconCheck size={15} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
    </Section>
  )
}
