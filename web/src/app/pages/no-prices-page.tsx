import { Frame } from '../../features/public/frame.tsx'

/** Shown at `/pricing` on servers that do not charge. */
export function NoPricesPage() {
  return (
    <Frame page="pricing">
      <section className="pricing" aria-labelledby="pricing-title">
        <div className="pricing-head">
          <div>
            <h1 id="pricing-title">This server does not charge</h1>
            <p>There are no plans to choose from, no prices and no limits.</p>
          </div>
          <a className="button where-open" href="/signup">
            Create Account
          </a>
        </div>
      </section>
    </Frame>
  )
}
