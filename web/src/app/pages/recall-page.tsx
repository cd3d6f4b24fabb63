import type { Replay } from '@loci/contract/recalls'
import { ActionIcon, Button, Kbd, Skeleton } from '@mantine/core'
import { IconArrowLeft, IconChevronDown, IconChevronUp, IconRefresh } from '@tabler/icons-react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { RecallPlan } from '../../features/memory/recall-plan.tsx'
import { type Chosen, HandedOver, NotHandedOver } from '../../features/recalls/handed-over.tsx'
import type { Fault } from '../../features/recalls/mend-form.tsx'
import { toldOf } from '../../features/recalls/recall-list.tsx'
import { markRows } from '../../features/recalls/recall-words.ts'
import {
  type AnswerNow,
  useAskAgain,
  useForgetRecall,
  useRecall,
  useRecalls,
} from '../../features/recalls/recalls.queries.ts'
import classes from '../../features/recalls/replay.module.css'
import { TellForm } from '../../features/recalls/tell-form.tsx'
import { UnderstoodPanel } from '../../features/recalls/understood-panel.tsx'
import { useEntityTypes } from '../../lib/entity-types.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { useMayWrite } from '../../lib/rights.ts'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import { undoLast } from '../../lib/undo-offers.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Frame, Panel } from '../../ui/frame.tsx'
import { Page } from '../../ui/page.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { stopsOf } from './recall-stops.ts'

const route = getRouteApi('/app/recalls/$recallId')

export function RecallPage() {
  const { recallId } = route.useParams()
  const { data, error, refetch } = useRecall(recallId)
  if (data) return <ReplayScreen key={recallId} recall={data.recall} keptDays={data.keptDays} />
  return (
    <Page title="Replay" subtitle={<BackToRecalls />}>
      {isApiError(error, 'recall_not_found') ? (
        <EmptyState
          title="This recall is not kept any more"
          text="Recalls are kept for 30 days, unless somebody deletes them or this server is set up otherwise."
          action={<Link to="/recalls">All recalls</Link>}
        />
      ) : error ? (
        <ErrorAlert
          message={messageOf(error, 'Could not load what was recalled.')}
          onRetry={() => void refetch()}
        />
      ) : (
        <div role="status" aria-label="Loading the recall">
          <Skeleton height={520} radius="md" />
        </div>
      )}
    </Page>
  )
}

const BackToRecalls = () => (
  <Link to="/recalls" className={`${rows.more} ${classes.back}`}>
    <IconArrowLeft size={14} style={{ verticalAlign: '-2px' }} /> Recalls
  </Link>
)

function ReplayScreen({ recall, keptDays }: { recall: Replay; keptDays: number }) {
  const [now, setNow] = useState<AnswerNow>()
  const [chosen, setChosen] = useState<Chosen>({ rank: 1 })
  const ask = useAskAgain()
  const mayMend = useMayWrite()
  const others = useOthers(recall.id)
  const navigate = useNavigate()
  const answer = now ?? recall
  const marks = now ? markRows(recall.rows, now.rows) : new Map()
  const gone = recall.rows.filter(({ observationId }) => marks.get(observationId) === 'gone')

  const askAgain = () =>
    ask.mutate(recall, {
      onSuccess: (told) => {
        setNow(told)
        setChosen({ rank: 1 })
      },
      onError: (error) => notifyError('Failed to ask again', messageOf(error, '')),
    })
  const move = (step: number) => {
    const rank = Math.min(Math.max(chosen.rank + step, 1), answer.rows.length)
    if (rank < 1) return false
    setChosen({ rank })
    document.querySelector(`[data-row="${rank}"]`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const open = (fault: Fault) => mayMend && answer.rows.length > 0 && setChosen({ ...chosen, fault })
  const goTo = (id: string | undefined) => {
    if (id === undefined) return false
    void navigate({ to: '/recalls/$recallId', params: { recallId: id } })
    return true
  }
  useScreenKeys({
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
    w: () => open('wrong'),
    m: () => open('missing'),
    o: () => open('outdated'),
    r: askAgain,
    z: () => undoLast(),
    '[': () => goTo(others.newer),
    ']': () => goTo(others.older),
  })

  const told = toldOf(answer)
  const entities = [
    ...new Map(answer.rows.flatMap(({ entity }) => (entity ? [[entity.id, entity]] : []))).values(),
  ]
  return (
    <Page
      title={`“${recall.question}”`}
      subtitle={
        <span className={classes.meta}>
          <BackToRecalls />
          <WriterBadge by={recall.by} />
          <span>
            <TimeText iso={recall.at} />
          </span>
          <span>{told}</span>
          <span>{formatNumber(answer.ms)} ms</span>
        </span>
      }
      actions={
        <>
          <ActionIcon
            variant="default"
            size={32}
            aria-label="Newer recall"
            disabled={others.newer === undefined}
            onClick={() => goTo(others.newer)}
          >
            <IconChevronUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={32}
            aria-label="Older recall"
            disabled={others.older === undefined}
            onClick={() => goTo(others.older)}
          >
            <IconChevronDown size={16} />
          </ActionIcon>
          {now && (
            <Button variant="default" onClick={() => setNow(undefined)}>
              As it was told
            </Button>
          )}
          <Button
            leftSection={<IconRefresh size={16} />}
            rightSection={<Kbd size="xs">R</Kbd>}
            loading={ask.isPending}
            onClick={askAgain}
          >
            Ask again
          </Button>
        </>
      }
    >
      <Frame>
        <div className={classes.columns}>
          <div className={classes.left}>
            <UnderstoodPanel
              understood={answer.understood}
              bound={answer.maxTokens}
              told={answer.rows.length}
              missed={answer.missed.length}
            />
            <WhereItWent answer={answer} />
            <Kept id={recall.id} days={keptDays} />
          </div>
          <div className={classes.right}>
            <HandedOver
              answer={answer}
              marks={marks}
              gone={gone}
              chosen={chosen}
              mayMend={mayMend}
              onChoose={setChosen}
            />
            <NotHandedOver missed={answer.missed} />
            {mayMend && (
              <div className={classes.foot}>
                <TellForm
                  names={entities.map(({ name }) => name)}
                  label="What should it have known?"
                  onTold={askAgain}
                />
              </div>
            )}
          </div>
        </div>
      </Frame>
      <Keys mayMend={mayMend} />
    </Page>
  )
}

function WhereItWent({ answer }: { answer: AnswerNow }) {
  const { data: types } = useEntityTypes()
  const stops = stopsOf(answer)
  const perType = [...Map.groupBy(stops, ({ type }) => type)]
  if (!types) return null
  return (
    <Panel title="Where it went" description={perType.length > 0 && countOf(perType.length, 'room', 'rooms')}>
      <RecallPlan types={types} stops={stops} />
      {perType.length > 0 && (
        <ul className={classes.legend}>
          {perType.map(([type, ofType]) => (
            <li key={type}>
              <TypeDot type={type} /> {type} {formatNumber(ofType.length)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Kept({ id, days }: { id: string; days: number }) {
  const forget = useForgetRecall()
  const navigate = useNavigate()
  return (
    <div className={classes.foot}>
      <span>Kept for {days === 1 ? 'a day' : `${days} days`}.</span>
      <Button
        variant="subtle"
        loading={forget.isPending}
        onClick={() =>
          forget.mutate(
            { id },
            {
              onSuccess: () => {
                notifySuccess('Recall deleted')
                void navigate({ to: '/recalls' })
              },
              onError: (error) => notifyError('Failed to delete the recall', messageOf(error, '')),
            },
          )
        }
      >
        Forget this recall
      </Button>
    </div>
  )
}

function Keys({ mayMend }: { mayMend: boolean }) {
  const keys: [string[], string][] = [
    [['↑', '↓'], 'Row'],
    ...(mayMend
      ? ([
          [['W'], 'Wrong'],
          [['M'], 'Missing'],
          [['O'], 'Outdated'],
          [['Z'], 'Undo'],
        ] as [string[], string][])
      : []),
    [['R'], 'Ask again'],
    [['[', ']'], 'Other recalls'],
  ]
  return (
    <div className={classes.keys}>
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
      {mayMend && <span>A mended row changes the memory at once. Undo is in History.</span>}
    </div>
  )
}

/** The recalls before and after this one, as far as they are listed. */
function useOthers(id: string): { newer: string | undefined; older: string | undefined } {
  const { data } = useRecalls()
  const ids = data?.pages.flatMap((page) => page.recalls.map((recall) => recall.id)) ?? []
  const index = ids.indexOf(id)
  return index < 0 ? { newer: undefined, older: undefined } : { newer: ids[index - 1], older: ids[index + 1] }
}
