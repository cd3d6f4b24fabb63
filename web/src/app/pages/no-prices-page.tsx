import { Frame } from '../../features/public/frame.tsx'

/** Stands at `/pricing` where the server does not charge. */
export function NoPricesPage() {
  return (
    <Frame page="pricing">
      <section className="pricing" aria-labelledby="pricing-title">
        <div className="pricing-head">
          <h1 id="pricing-title">This server does not charge</h1>
          <a className="button" href="/signup">
            Create Account
          </a>
        </div>
        <p>There are no plans to choose from, no prices and no limits.</p>
      </section>
    </Frame>
  )
}
