import { GetStarted } from './get-started.tsx'
import { MemoryPlan } from './memory-plan.tsx'
import { type Line, type Session, sessions } from './story.ts'

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
      <figure className="story" data-story>
        <figcaption>
          <span>One memory, two sessions</span>
          <button type="button" className="story-control" data-story-control hidden>
            Watch it grow
          </button>
        </figcaption>
        <div className="story-body">
          <div className="talk">
            {sessions.map((session) => (
              <Talk key={session.when} session={session} />
            ))}
          </div>
          <div className="ground">
            <MemoryPlan shape="wide" />
            <MemoryPlan shape="tall" />
          </div>
        </div>
      </figure>
    </section>
  )
}

function Talk({ session }: { session: Session }) {
  return (
    <div className="talk-session" data-at={session.at}>
      <p className="talk-when">
        <strong>{session.when}</strong>, {session.agent}
      </p>
      <ol>
        {session.lines.map((line) => (
          <li key={line.text} data-at={line.at} className={`talk-${line.who.toLowerCase()}`}>
            <Said line={line} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Said({ line }: { line: Line }) {
  if (line.tool !== undefined) {
    return (
      <>
        <code>{line.tool}</code> {line.text}
      </>
    )
  }
  return (
    <>
      <span className="talk-who">{line.who}</span> {line.text}
    </>
  )
}
