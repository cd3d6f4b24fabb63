import type { ReactNode } from 'react'
import { doorGlyph, editGlyph, graphGlyph, houseGlyph, liveGlyph, walkGlyph } from './glyphs.tsx'

type Feature = { title: string; text: string; glyph: ReactNode }

const features: readonly Feature[] = [
  {
    title: 'A graph, not a transcript',
    text: 'Agents keep entities, what they observed about them, and how they relate. Facts stay small, connected and open to change.',
    glyph: graphGlyph,
  },
  {
    title: 'Speaks MCP',
    text: 'Streamable HTTP or stdio. The nine tools of the reference memory server work under the same names, so a configured agent moves in unchanged.',
    glyph: doorGlyph,
  },
  {
    title: 'Recall that ranks',
    text: 'Full-text search over names, types and observations. Word forms and typing errors are forgiven, and no language model has to run for it.',
    glyph: walkGlyph,
  },
  {
    title: 'Live on every screen',
    text: 'What an agent writes is announced over a WebSocket as soon as it is committed. Open screens follow without a reload.',
    glyph: liveGlyph,
  },
  {
    title: 'Yours to read and correct',
    text: 'See the whole graph or the surroundings of one entity. Edit a wrong fact or delete it, and every agent knows better.',
    glyph: editGlyph,
  },
  {
    title: 'At home on your machine',
    text: 'One command starts everything, on a single file. The same program runs on PostgreSQL when a team moves in.',
    glyph: houseGlyph,
  },
]

export function Features() {
  return (
    <section id="features" className="section" aria-labelledby="features-title">
      <h2 id="features-title">
        A place for every fact. <span>And a way back to it.</span>
      </h2>
      <ul className="rooms">
        {features.map((feature) => (
          <li key={feature.title}>
            {feature.glyph}
            <h3>{feature.title}</h3>
            <p>{feature.text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
