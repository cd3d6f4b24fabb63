import type { ReactNode } from 'react'
import { LociMark } from '../../ui/loci-mark.tsx'

/** The parts that all public pages share: the skip link, the navigation, the footer. */
export function Frame({ page, children }: { page: 'landing' | 'pricing'; children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="top">
        <Home />
        <nav aria-label="Main">
          <a className="top-wide" href="/#features">
            Features
          </a>
          <a className="top-wide" href="/#how-it-works">
            How it works
          </a>
          <a className="where-charged" href="/pricing" aria-current={page === 'pricing' ? 'page' : undefined}>
            Pricing
          </a>
          <a className="button button-small for-visitors" href="/login">
            Sign In
          </a>
          <a className="button button-small for-members" href="/dashboard">
            Dashboard
          </a>
        </nav>
      </header>
      <main id="main">{children}</main>
      <footer className="bottom">
        <div>
          <Home />
          <p>Persistent memory for AI agents, over the Model Context Protocol.</p>
        </div>
        <nav aria-label="Footer">
          <a href="/#features">Features</a>
          <a className="where-charged" href="/pricing">
            Pricing
          </a>
          <a href="/api/docs">API reference</a>
          <button type="button" data-scheme hidden>
            Switch theme
          </button>
        </nav>
      </footer>
    </>
  )
}

function Home() {
  return (
    <a className="home" href="/" aria-label="Loci, home">
      <LociMark size={24} />
      Loci
    </a>
  )
}
