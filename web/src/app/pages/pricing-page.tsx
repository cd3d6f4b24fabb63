import { BillingToggle } from '../../features/public/billing-toggle.tsx'
import { Enterprise } from '../../features/public/enterprise.tsx'
import { Faq } from '../../features/public/faq.tsx'
import { Frame } from '../../features/public/frame.tsx'
import { PlanCards } from '../../features/public/plan-cards.tsx'

export function PricingPage() {
  return (
    <Frame page="pricing">
      <section className="pricing" aria-labelledby="pricing-title">
        <div className="pricing-head">
          <h1 id="pricing-title">Plans for every memory</h1>
          <BillingToggle />
        </div>
        <PlanCards />
        <Enterprise />
      </section>
      <Faq />
    </Frame>
  )
}
