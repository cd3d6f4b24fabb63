import type { Recall } from '@loci/contract/recalls'
import { Link } from '@tanstack/react-router'
import { countOf, formatNumber } from '../../lib/format.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './recall-list.module.css'

/** Questions of agents, each a link to what was told. */
export function RecallList({ recalls }: { recalls: readonly Recall[] }) {
  return (
    <ul className={classes.list}>
      {recalls.map((recall) => (
        <li key={recall.id}>
          <Link to="/recalls/$recallId" params={{ recallId: recall.id }} className={classes.row}>
            <bdi className={classes.question}>{recall.question || 'An empty question'}</bdi>
            <span className={classes.told} data-none={!recall.found || undefined}>
              {toldOf(recall)}
            </span>
            <span className={classes.by}>
              <WriterBadge by={recall.by} />
            </span>
            <span className={classes.time}>
              <TimeText iso={recall.at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** `5 observations, 135 tokens`, or what else was told. */
export function toldOf({ found, rows, entityIds, tokens }: Omit<Recall, 'id' | 'at' | 'by'>): string {
  if (!found) return 'Nothing found'
  const told =
    rows.length > 0
      ? countOf(rows.length, 'observation', 'observations')
      : countOf(entityIds.length, 'entity', 'entities')
  return tokens === 0 ? told : `${told}, ${formatNumber(tokens)} tokens`
}
