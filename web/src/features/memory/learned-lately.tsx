import type { Change } from '@loci/contract/changes'
import { NativeSelect, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { Panel } from '../../ui/frame.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './learned-lately.module.css'
import { useLearnedLately } from './memory.queries.ts'

type LearnedLatelyProps = {
  /** Observations stored today. */
  today: number
  /** Names of the agents to filter by. */
  agents: readonly string[]
}

/** The observations that agents and people stored last. */
export function LearnedLately({ today, agents }: LearnedLatelyProps) {
  const [agent, setAgent] = useState('')
  const { data: changes, isPending, isError, refetch } = useLearnedLately(agent)
  const isNew = useArrivals(changes, agent)
  const shown = changes?.filter(({ after }) => after !== null) ?? []
  return (
    <Panel
      title="Learned lately"
      description={today > 0 && `${countOf(today, 'observation', 'observations')} today`}
      flush
      aside={
        <span className={classes.aside}>
          {agents.length > 1 && (
            <NativeSelect
              size="xs"
              aria-label="Agent"
              className={classes.agent}
              value={agent}
              onChange={(event) => setAgent(event.currentTarget.value)}
              data={[{ value: '', label: 'All agents' }, ...agents]}
            />
          )}
          <Link to="/history" className={rows.more}>
            History
          </Link>
        </span>
      }
    >
      {shown.length > 0 ? (
        <ul>
          {shown.map((change) => (
            <LearnedItem key={change.seq} change={change} isNew={isNew(change)} />
          ))}
        </ul>
      ) : isError ? (
        <NotLoaded onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingText shape={<Waiting />}>Loading what was learned...</LoadingText>
      ) : (
        <p className={rows.nothing}>Nothing learned yet</p>
      )}
    </Panel>
  )
}

const Waiting = () => (
  <div className={classes.waiting}>
    {[66, 92, 54, 78, 88, 62].map((width) => (
      <div key={width}>
        <Skeleton height={12} width="38%" mb={10} />
        <Skeleton height={12} width={`${width}%`} />
      </div>
    ))}
  </div>
)

/** Whether a change arrived while the list was shown; changes that another filter reveals do not count. */
function useArrivals(changes: Change[] | undefined, choice: string) {
  const first = useRef<{ choice: string; seq: number }>(undefined)
  if (changes !== undefined && first.current?.choice !== choice)
    first.current = { choice, seq: changes[0]?.seq ?? 0 }
  return ({ seq }: Change) => seq > (first.current?.seq ?? Number.POSITIVE_INFINITY)
}

function LearnedItem({ change: { subject, after, actor, at }, isNew }: { change: Change; isNew: boolean }) {
  return (
    <li className={classes.item} data-new={isNew || undefined}>
      <Link to="/entities/$entityId" params={{ entityId: subject.entityId ?? '' }} className={classes.link}>
        <span className={classes.head}>
          <TypeDot type={subject.entityType ?? ''} />
          <span className={classes.name} dir="auto">
            {subject.entityName}
          </span>
          <span className={classes.by}>
            <WriterBadge by={actor} />
            <TimeText iso={at} />
          </span>
        </span>
        <span className={classes.text} dir="auto">
          {contentOf(after)}
        </span>
      </Link>
    </li>
  )
}

/** The text of an observation in the log, without its Markdown. */
export const contentOf = (state: Change['after']) => plainText(String(state?.content ?? ''))
