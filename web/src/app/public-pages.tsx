import { renderToStaticMarkup } from 'react-dom/server'
import { LandingPage } from './pages/landing-page.tsx'
import { NoPricesPage } from './pages/no-prices-page.tsx'
import { PricingPage } from './pages/pricing-page.tsx'

const pages = { landing: LandingPage, pricing: PricingPage, 'no-prices': NoPricesPage }

/** The body of a public page as HTML, rendered at build time. */
export function renderPublicPage(name: keyof typeof pages): string {
  const Page = pages[name]
  return renderToStaticMarkup(<Page />)
}
