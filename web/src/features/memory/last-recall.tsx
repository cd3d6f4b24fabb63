import type { LastRecall as Recall } from '@loci/contract/analytics'
import { Link } from '@tanstack/react-router'
import { countOf } from '../../lib/format.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './last-recall.module.css'

/** An agent's last question, as a link to the same search. */
export function LastRecall({ recall: { agent, question, observations, at } }: { recall: Recall }) {
  return (
    <Link to="/search" search={{ query: question }} className={classes.strip}>
      <WriterBadge by={{ kind: 'local', id: '', name: '', client: agent ?? 'An agent' }} compact />
      <span className={classes.text}>
        <span>Last recall</span> <bdi className={classes.question}>“{question}”</bdi>{' '}
        <span>{countOf(observations, 'observation', 'observations')}</span>
      </span>
      <span className={classes.time}>
        <TimeText iso={at} />
      </span>
    </Link>
  )
}
