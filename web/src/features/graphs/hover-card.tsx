import type { GraphEvents } from '@loci/graph/types'
import { countOf } from '../../lib/format.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './hover-card.module.css'
import type { LiveGraph } from './live-graph.ts'
import { useNote } from './notes.queries.ts'

type HoverCardProps = { card: NonNullable<GraphEvents['card']>; graph: LiveGraph; width: number }

const cardWidth = 250
const gap = 12

/** The hovered node: name, type, counts, newest observation. */
export function HoverCard({ card: { node, x, y, radius }, graph, width }: HoverCardProps) {
  const note = useNote(node.observationsCount > 0 ? node.id : undefined)
  const right = x + radius + gap
  const left = right + cardWidth > width ? x - radius - gap - cardWidth : right
  return (
    <div className={classes.card} style={{ left: Math.max(8, left), top: y }} aria-hidden>
      <bdi className={classes.name}>
        <VisibleText text={node.name} />
      </bdi>
      <div className={classes.about}>
        <TypeDot type={node.type} />
        <span className={classes.type}>{node.type}</span>
        <span>
          {countOf(node.observationsCount, 'observation', 'observations')} ·{' '}
          {countOf(graph.countRelationsAt(node.id), 'relation', 'relations')}
        </span>
      </div>
      {note && (
        <p className={classes.note} dir="auto">
          {plainText(note)}
        </p>
      )}
    </div>
  )
}
