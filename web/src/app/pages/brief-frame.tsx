import type { Brief } from '@loci/contract/briefs'
import { Button, Kbd, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import briefClasses from '../../features/briefs/brief.module.css'
import { BriefNews } from '../../features/briefs/brief-news.tsx'
import { BriefPanel } from '../../features/briefs/brief-panel.tsx'
import { useBrief, useReadAll } from '../../features/briefs/briefs.queries.ts'
import { useForgetRecall, useUnanswered } from '../../features/recalls/recalls.queries.ts'
import { TellForm } from '../../features/recalls/tell-form.tsx'
import { messageOf } from '../../lib/errors.ts'
import { countOf, formatTime } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { formatDayWithin } from '../../lib/relative-time.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { useNow } from '../../lib/use-now.ts'
import { Frame, Panel } from '../../ui/frame.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { plainText } from '../../ui/markdown/plain-text.ts'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './brief-frame.module.css'
import { useWaiting } from './use-waiting.ts'

/**
 * What happened since the person was here, beside the rules, what waits for them, and the questions without an answer.
 * `learned` is shown while there is nothing new. Nothing is shown on a first visit, from which the next brief begins.
 */
export function BriefFrame({ learned }: { learned: ReactNode }) {
  const { data: brief, error, refetch } = useBrief()
  const { mutate: begin } = useReadAll()
  const isFirst = brief?.since === null
  const seq = brief?.seq ?? 0
  useEffect(() => {
    if (isFirst) begin(seq)
  }, [isFirst, seq, begin])
  if (isFirst) return null
  return (
    <Frame className={classes.frame}>
      {error && !brief ? (
        <NoBriefYet>
          <p className={classes.failed}>
            Could not load what happened.{' '}
            <Button variant="default" size="xs" onClick={() => void refetch()}>
              Try again
            </Button>
          </p>
        </NoBriefYet>
      ) : brief === undefined ? (
        <NoBriefYet>
          <LoadingText shape={<Waiting />}>Loading what happened...</LoadingText>
        </NoBriefYet>
      ) : brief.items.length > 0 ? (
        <BriefPanel brief={brief} />
      ) : (
        <section className={briefClasses.brief} aria-label="Since you were here">
          <AllRead brief={brief} />
          {learned}
        </section>
      )}
      <div className={classes.side}>
        {brief && brief.rules.length > 0 && <Rules rules={brief.rules} />}
        <WaitingForYou />
        <Unanswered />
        {brief && brief.items.length > 0 && <Keys />}
      </div>
    </Frame>
  )
}

const NoBriefYet = ({ children }: { children: ReactNode }) => (
  <section className={briefClasses.brief} aria-label="Since you were here">
    <header className={briefClasses.head}>
      <h2>Since you were here</h2>
    </header>
    {children}
  </section>
)

const Waiting = () => (
  <div className={briefClasses.waiting}>
    {[70, 90, 58, 82, 64, 76].map((width) => (
      <Skeleton key={width} height={14} width={`${width}%`} />
    ))}
  </div>
)

function AllRead({ brief }: { brief: Brief }) {
  const now = useNow()
  const since = brief.since ?? ''
  return (
    <header className={`${briefClasses.head} ${classes.allRead}`}>
      <div>
        <h2>All read</h2>
        <p className={briefClasses.span}>
          Nothing new since {formatDayWithin(since, now)}, {formatTime(since)}
        </p>
      </div>
      <BriefNews brief={brief} />
    </header>
  )
}

type RulesProps = { rules: NonNullable<ReturnType<typeof useBrief>['data']>['rules'] }

const Rules = ({ rules }: RulesProps) => (
  <Panel title="Standing rules" description="told to agents where they fit" flush>
    <ul className={classes.list}>
      {rules.map(({ observationId, content, entity, createdAt, told }) => (
        <li key={observationId}>
          <div className={classes.main}>
            <p dir="auto">
              <VisibleText text={plainText(content)} />
            </p>
            <p className={classes.dim}>
              <Link to="/entities/$entityId" params={{ entityId: entity.id }}>
                <bdi>{entity.name}</bdi>
              </Link>{' '}
              · <TimeText iso={createdAt} />
            </p>
          </div>
          {told > 0 && <span className={classes.dim}>told {timesOf(told)}</span>}
        </li>
      ))}
    </ul>
  </Panel>
)

/** Proposals, drafts and facts whose files have changed, if there are any. */
function WaitingForYou() {
  const { proposals, proposed, drafts, draftsThisWeek, drafted, stale } = useWaiting()
  if (proposals === 0 && drafts === 0 && stale.length === 0) return null
  return (
    <Panel title="Waiting for you" flush>
      <ul className={classes.list}>
        {proposals > 0 && (
          <li>
            <div className={classes.main}>
              <p>
                <b>{countOf(proposals, 'proposal', 'proposals')}</b>
                {proposed.by !== '' && ` from ${proposed.by}`}
              </p>
              <First text={proposed.first} others={proposals - 1} />
            </div>
            <Review />
          </li>
        )}
        {drafts > 0 && (
          <li>
            <div className={classes.main}>
              <p>
                <b>{countOf(drafts, 'draft', 'drafts')}</b> from conversations
                {draftsThisWeek > 0 && `, ${draftsThisWeek} of this week`}
              </p>
              <First text={drafted} others={drafts - 1} />
            </div>
            {proposals === 0 && <Review />}
          </li>
        )}
        {stale.length > 0 && (
          <li>
            <div className={classes.main}>
              <p>
                <b>{countOf(stale.length, 'fact', 'facts')}</b> {stale.length === 1 ? 'rests' : 'rest'} on
                files that have changed
              </p>
              <p className={classes.dim}>
                <bdi>{stale[0]!.entity.name}</bdi>
                {stale.length > 1 && ` and ${stale.length - 1} more`}
              </p>
            </div>
            <Button
              variant="default"
              size="xs"
              renderRoot={(props) => (
                <Link {...props} to="/entities/$entityId" params={{ entityId: stale[0]!.entity.id }} />
              )}
            >
              Check
            </Button>
          </li>
        )}
      </ul>
    </Panel>
  )
}

/** The newest of what waits, quoted, and how many more there are. */
const First = ({ text, others }: { text: string; others: number }) =>
  text !== '' && (
    <p className={classes.first}>
      <span className={classes.quoted} dir="auto">
        “<VisibleText text={plainText(text)} />”
      </span>
      {others > 0 && <span className={classes.dim}>and {countOf(others, 'other', 'others')}</span>}
    </p>
  )

const Review = () => (
  <Button variant="default" size="xs" renderRoot={(props) => <Link {...props} to="/inbox" />}>
    Review
  </Button>
)

function Keys() {
  const mayWrite = useMayWrite()
  const keys: [string[], string][] = [
    [['J', 'K'], 'Move'],
    ...(mayWrite
      ? ([
          [['A'], 'Keep'],
          [['E'], 'Correct'],
          [['D'], 'Forget'],
          [['Z'], 'Undo'],
        ] as [string[], string][])
      : []),
  ]
  return (
    <p className={classes.keys}>
      {keys.map(([pressed, label]) => (
        <span key={label}>
          {pressed.map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}{' '}
          {label}
        </span>
      ))}
    </p>
  )
}

const questionsShown = 3

function Unanswered() {
  const { data: questions = [] } = useUnanswered()
  const mayWrite = useMayWrite()
  const forget = useForgetRecall()
  const [answering, setAnswering] = useState<string>()
  if (questions.length === 0) return null
  const settle = (id: string) =>
    forget.mutate(
      { id, alike: true },
      { onError: (error) => notifyError('The question could not be removed', messageOf(error, '')) },
    )
  return (
    <Panel
      title="Asked, and nothing found"
      description={questions.length}
      flush
      aside={
        <Link to="/recalls" search={{ found: 'false' }} className={rows.more}>
          All
        </Link>
      }
    >
      <ul className={classes.list}>
        {questions.slice(0, questionsShown).map(({ question, recallId, times, agents }) => (
          <li key={recallId} data-open={answering === recallId || undefined}>
            <div className={classes.main}>
              <p dir="auto">
                <Link to="/recalls/$recallId" params={{ recallId }}>
                  “{question}”
                </Link>
              </p>
              <p className={classes.dim}>
                {timesOf(times)}
                {agents.length > 0 && `, by ${agents.join(' and ')}`}
              </p>
            </div>
            {mayWrite && answering !== recallId && (
              <Button variant="default" size="xs" onClick={() => setAnswering(recallId)}>
                Answer
              </Button>
            )}
            {answering === recallId && (
              <TellForm
                names={[]}
                label="The answer"
                autoFocus
                onTold={() => {
                  setAnswering(undefined)
                  settle(recallId)
                }}
                onCancel={() => setAnswering(undefined)}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const timesOf = (times: number) => (times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`)
