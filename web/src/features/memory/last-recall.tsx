import type { LastRecall as Recall } from '@loci/contract/analytics'
import { Link } from '@tanstack/react-router'
import { countOf } from '../../lib/format.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './last-recall.module.css'

/** An agent's last question, as a link to its replay, or to the same search for those who cannot open it. */
export function LastRecall({ recall: { id, agent, question, observations, at } }: { recall: Recall }) {
  const shown = (
    <>
      <WriterBadge by={{ kind: 'local', id: '', name: '', client: agent ?? 'An agent' }} compact />
      <span className={classes.text}>
        <span>Last recall</span> <bdi className={classes.question}>“{question}”</bdi>{' '}
        <span>{countOf(observations, 'observation', 'observations')}</span>
      </span>
      {id && <span className={classes.replay}>Replay</span>}
      <span className={classes.time}>
        <TimeText iso={at} />
      </span>
    </>
  )
  return id === undefined ? (
    <Link to="/search" search={{ query: question }} className={classes.strip}>
      {shown}
    </Link>
  ) : (
    <Link to="/recalls/$recallId" params={{ recallId: id }} className={classes.strip}>
      {shown}
    </Link>
  )
}
