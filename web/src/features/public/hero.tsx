import { GetStarted } from './get-started.tsx'

export function Hero() {
  return (
    <section className="hero">
      <div className="hero-words">
        <h1>
          Persistent Memory <br />
          for AI Agents
        </h1>
        <div className="hero-side">
          <p>
            Loci gives agents a place to keep what they learn: a knowledge graph they write over MCP and find
            again in the next session, and that you can open, read and correct.
          </p>
          <div className="actions">
            <GetStarted className="button" />
            {/* biome-ignore lint/a11y/noAmbiguousAnchorText: it leads to the next section, in sight of what it is about. */}
            <a className="button button-quiet" href="#features">
              Learn More
            </a>
          </div>
        </div>
      </div>
      <figure className="memory">
        <div
          className="memory-picture"
          role="img"
          aria-label="A graph drawn by Loci: 215 people, services, customers and decisions as coloured dots, connected by arrows and grouped into eight tinted regions."
        />
        <figcaption>
          <strong>What one company’s agents remember.</strong> 215 entities and 461 relations as the app draws
          them: groups are found, named and kept in place.
        </figcaption>
      </figure>
    </section>
  )
}
