import type { Change } from '@loci/contract/changes'
import { Link } from '@tanstack/react-router'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './learned-lately.module.css'
import { useLearnedLately } from './memory.queries.ts'

/** What agents and people stored last. */
export function LearnedLately() {
  const { data: changes = [], isPending, isError } = useLearnedLately()
  const shown = changes.filter(({ after }) => after !== null)
  return (
    <Section
      title="Learned lately"
      flush
      aside={
        <Link to="/history" className={classes.all}>
          History
        </Link>
      }
    >
      {shown.length === 0 ? (
        <p className={rows.none}>
          {isPending ? 'Loading...' : isError ? 'Could not be loaded' : 'Nothing learned yet'}
        </p>
      ) : (
        <ul className={rows.list}>
          {shown.map((change) => (
            <LearnedItem key={change.seq} change={change} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function LearnedItem({ change: { subject, after, actor, at } }: { change: Change }) {
  return (
    <li>
      <Link
        to="/entities/$entityId"
        params={{ entityId: subject.entityId ?? '' }}
        className={`${rows.row} ${classes.item}`}
      >
        <span className={classes.head}>
          <span className={rows.name} dir="auto">
            {subject.entityName}
          </span>
          <span className={rows.dim}>
            {writerOf(actor)} · <TimeText iso={at} />
          </span>
        </span>
        <span className={classes.text} dir="auto">
          {contentOf(after)}
        </span>
      </Link>
    </li>
  )
}

/** The agent as it names itself, where one wrote; else the person or the key. */
export function writerOf({ client, kind, name }: Change['actor']): string {
  if (client !== undefined) return client
  return kind === 'personal_key' || kind === 'local' ? 'An agent' : name
}

/** The text of an observation in the log. */
export const contentOf = (state: Change['after']) => String(state?.content ?? '')
