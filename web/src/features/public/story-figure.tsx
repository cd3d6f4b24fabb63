import { type Line, type Session, sessions } from './landing-story.ts'
import { MemoryPlan } from './memory-plan.tsx'

/** Two conversations beside the plan of the memory that they share. */
export function StoryFigure() {
  return (
    <section className="section" aria-label="An example">
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
