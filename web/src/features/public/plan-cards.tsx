import { freePlanId, type PlanDefinition, plans } from '@loci/contract/plans'
import { monthOfYear, toPrice } from './prices.rules.ts'

const popularPlanId = 'starter'
const notInFree = ['Webhook endpoints', 'Real-time sync', 'Custom integrations']

const purposes: Record<string, string> = {
  free: 'One agent and a first memory.',
  starter: 'Your own agents, every day.',
  pro: 'Many agents and what they build on.',
  'power-user': 'A memory for everything you run.',
}

/** Each plan as a house: the larger its limits, the more rooms. */
const houses: Record<string, string> = {
  free: 'M2 22h20v20H2z',
  starter: 'M2 22h20v20H2zM22 22h20v20H22z',
  pro: 'M2 2h40v40H2zM2 22h40M22 2v40',
  'power-user': 'M2 2h60v40H2zM2 22h60M22 2v40M42 2v40',
}

export function PlanCards() {
  return (
    <ul className="plans">
      {plans
        .filter((plan) => plan.sold)
        .map((plan) => (
          <PlanCard key={plan.id} plan={plan} />
        ))}
    </ul>
  )
}

function PlanCard({ plan }: { plan: PlanDefinition }) {
  const popular = plan.id === popularPlanId
  return (
    <li className="plan-card" data-popular={popular || undefined}>
      <svg className="house" viewBox="0 0 64 44" aria-hidden fill="none">
        <path d={houses[plan.id]} />
        <circle cx="12" cy="32" r="5" className="lit-fill" />
      </svg>
      <h2>
        {plan.name} {popular && <span className="chip">Most Popular</span>}
      </h2>
      <p className="purpose">{purposes[plan.id]}</p>
      <Price plan={plan} />
      <Choose plan={plan} popular={popular} />
      <ul className="included">
        {plan.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
        {plan.id === freePlanId &&
          notInFree.map((feature) => (
            <li key={feature} className="excluded">
              <span className="unseen">Not included: </span>
              {feature}
            </li>
          ))}
      </ul>
    </li>
  )
}

function Price({ plan }: { plan: PlanDefinition }) {
  if (plan.id === freePlanId) {
    return (
      <p className="price">
        <strong>{toPrice(0)}</strong> <span>/ month</span>
        <small>Free for good, no card</small>
      </p>
    )
  }
  return (
    <>
      <p className="price when-monthly">
        <strong>{toPrice(plan.monthlyPrice)}</strong> <span>/ month</span>
        <small>Billed monthly</small>
      </p>
      <p className="price when-annual">
        <strong>{toPrice(monthOfYear(plan))}</strong> <span>/ month</span>
        <small>Billed {toPrice(plan.annualPrice)} a year</small>
      </p>
    </>
  )
}

function Choose({ plan, popular }: { plan: PlanDefinition; popular: boolean }) {
  const look = popular ? 'button' : 'button button-quiet'
  if (plan.id === freePlanId) {
    return (
      <a className={look} href="/signup">
        Get Started Free
      </a>
    )
  }
  return (
    <>
      <a className={`${look} when-monthly`} href={`/signup?plan=${plan.id}&billing=monthly`}>
        Choose {plan.name}
      </a>
      <a className={`${look} when-annual`} href={`/signup?plan=${plan.id}&billing=annual`}>
        Choose {plan.name}
      </a>
    </>
  )
}
