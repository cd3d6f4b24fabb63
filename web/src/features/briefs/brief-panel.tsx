import type { Brief, BriefItem, BriefKind } from '@loci/contract/briefs'
import { Button, Kbd, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { countOf, formatNumber, formatTime } from '../../lib/format.ts'
import { formatDayName, formatDayWithin } from '../../lib/relative-time.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import { undoLast } from '../../lib/undo-offers.ts'
import { useNow } from '../../lib/use-now.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'
import rows from '../../ui/rows.module.css'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './brief.module.css'
import { type BriefGroup, type Grouping, groupItems, kindWords, sumUp } from './brief-groups.ts'
import { BriefLine } from './brief-line.tsx'
import { BriefNews } from './brief-news.tsx'
import { notifyFailed, useDecide, useReadAll, useReadItems } from './briefs.queries.ts'

const groupsAtFirst = 10
const linesAtFirst = 3

/** What happened since the person was here, to be read in a minute and decided from the keyboard. */
export function BriefPanel({ brief }: { brief: Brief }) {
  const [grouping, setGrouping] = useState<Grouping>('thing')
  const [only, setOnly] = useState<BriefKind>()
  const [isLong, setLong] = useState(false)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [chosenSeq, setChosen] = useState<number>()
  const [editing, setEditing] = useState<number>()
  const mayWrite = useMayWrite()
  const read = useReadItems()
  const readAll = useReadAll()
  const decide = useDecide()
  const groups = useSteadyOrder(groupItems(brief.items, grouping), grouping)
    .map((group) => ({
      ...group,
      items: only === undefined ? group.items : group.items.filter(({ kind }) => kind === only),
    }))
    .filter(({ items }) => items.length > 0)
  const shown = isLong ? groups : groups.slice(0, groupsAtFirst)
  const linesOf = ({ key, items }: BriefGroup) => (open.has(key) ? items : items.slice(0, linesAtFirst))
  const lines = shown.flatMap(linesOf)
  const index = Math.max(
    0,
    lines.findIndex(({ seq }) => seq === chosenSeq),
  )
  const chosen = lines[index]

  const move = (step: number) => {
    const next = lines[Math.min(Math.max(index + step, 0), lines.length - 1)]
    if (next === undefined) return false
    setChosen(next.seq)
    document.querySelector(`[data-seq="${next.seq}"]`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const goOn = (item: BriefItem) => {
    const at = lines.findIndex(({ seq }) => seq === item.seq)
    const next = lines.slice(at + 1).find(({ isRead }) => !isRead) ?? lines[at + 1]
    setEditing((now) => (now === item.seq ? undefined : now))
    setChosen((now) => (now === undefined || now === item.seq ? next?.seq : now))
  }
  const markRead = ({ seq, isRead }: BriefItem) => {
    if (!isRead) read.mutate([seq])
  }
  const decidingOf = (item: BriefItem) => ({
    keep: () => {
      markRead(item)
      goOn(item)
    },
    forget: () => {
      const { observationId } = item
      if (observationId === undefined) return
      decide.mutate({ kind: 'forget', item, observationId })
      goOn(item)
    },
    forgetEarlier: () => {
      const observationId = item.rival?.observationId
      if (observationId === undefined) return
      decide.mutate({ kind: 'forget', item, observationId })
      markRead(item)
      goOn(item)
    },
    restore: () => decide.mutate({ kind: 'restore', item }),
    // What was typed stays until it is stored.
    correct: async (content: string) => {
      await decide.mutateAsync({ kind: 'correct', item, content })
      markRead(item)
      goOn(item)
    },
  })
  const onChosen = (act: (item: BriefItem) => void) =>
    chosen !== undefined && mayWrite ? act(chosen) : false
  const allRead = () => readAll.mutate(brief.seq, { onError: notifyFailed })
  useScreenKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    a: () => onChosen((item) => decidingOf(item).keep()),
    e: () => onChosen((item) => item.kind !== 'forgotten' && setEditing(item.seq)),
    d: () => onChosen((item) => item.kind !== 'forgotten' && decidingOf(item).forget()),
    z: () => undoLast(),
    'Shift+a': allRead,
  })

  return (
    <section className={classes.brief} aria-labelledby="brief">
      <header className={classes.head}>
        <div>
          <h2 id="brief">Since you were here</h2>
          <BriefSpan brief={brief} />
        </div>
        <BriefNews brief={brief} />
        <SegmentedControl
          size="xs"
          aria-label="Grouping"
          value={grouping}
          data={[
            { value: 'thing', label: 'By thing' },
            { value: 'agent', label: 'By agent' },
          ]}
          onChange={(value) => setGrouping(value as Grouping)}
        />
      </header>
      <Kinds brief={brief} only={only} onOnly={setOnly} />
      {shown.map((group) => (
        <Group key={group.key} group={group}>
          {linesOf(group).map((item) => (
            <BriefLine
              key={item.seq}
              item={item}
              isChosen={item.seq === chosen?.seq}
              isEditing={item.seq === editing}
              isNamed={group.entity === undefined}
              mayWrite={mayWrite}
              onChoose={() => setChosen(item.seq)}
              onEdit={(isEditing) => setEditing(isEditing ? item.seq : undefined)}
              decide={decidingOf(item)}
            />
          ))}
          {group.items.length > linesOf(group).length && (
            <li>
              <button
                type="button"
                className={classes.more}
                onClick={() => setOpen(new Set([...open, group.key]))}
              >
                {group.items.length - linesAtFirst} more
              </button>
            </li>
          )}
        </Group>
      ))}
      {groups.length > shown.length && (
        <p className={classes.rest}>
          <button type="button" className={classes.more} onClick={() => setLong(true)}>
            Show {groups.length - shown.length} more
          </button>
        </p>
      )}
      <RecalledRow brief={brief} />
      <footer className={classes.foot}>
        <span>
          {brief.isComplete ? <AllSince since={brief.since} /> : 'There was more; it is in '}
          {!brief.isComplete && <Link to="/history">History</Link>}
        </span>
        <Link to="/settings" hash="weekly-mail" className={rows.more}>
          Mail me this every Monday
        </Link>
        <Button
          variant="default"
          size="xs"
          loading={readAll.isPending}
          rightSection={
            <Kbd size="xs" className={classes.key} aria-hidden>
              Shift A
            </Kbd>
          }
          onClick={allRead}
        >
          All read
        </Button>
      </footer>
    </section>
  )
}

/** Keeps groups where they were while their items are read; new ones come last. */
function useSteadyOrder(groups: BriefGroup[], grouping: Grouping): BriefGroup[] {
  const [kept] = useState(() => new Map<Grouping, string[]>())
  const order = kept.get(grouping) ?? []
  const keys = [...order, ...groups.map(({ key }) => key).filter((key) => !order.includes(key))]
  kept.set(grouping, keys)
  return groups.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key))
}

/** `Thursday, 17:42, to now · 14 of 24 unread` */
function BriefSpan({ brief: { since, items } }: { brief: Brief }) {
  const now = useNow()
  const unread = items.filter(({ isRead }) => !isRead).length
  return (
    <p className={classes.span}>
      {since && `${formatDayName(since, now)}, ${formatTime(since)}, to now · `}
      {formatNumber(unread)} of {formatNumber(items.length)} unread
    </p>
  )
}

function AllSince({ since }: { since: string | null }) {
  const now = useNow()
  return <>That is all since {since === null ? 'the beginning' : formatDayWithin(since, now)}.</>
}

type KindsProps = { brief: Brief; only: BriefKind | undefined; onOnly: (kind: BriefKind | undefined) => void }

function Kinds({ brief: { items, recalled }, only, onOnly }: KindsProps) {
  const kinds: BriefKind[] = ['learned', 'changed', 'rival', 'forgotten']
  return (
    <div className={classes.kinds}>
      {kinds.map((kind) => {
        const count = items.filter((item) => item.kind === kind).length
        const { sign, label } = kindWords[kind]
        return (
          <button
            key={kind}
            type="button"
            data-kind={kind}
            aria-pressed={only === kind}
            disabled={count === 0}
            onClick={() => onOnly(only === kind ? undefined : kind)}
          >
            <span className={classes.sign} aria-hidden>
              {sign}
            </span>{' '}
            <span>{label}</span> <b>{formatNumber(count)}</b>
          </button>
        )
      })}
      <Link to="/recalls">
        <span className={classes.sign} aria-hidden>
          ?
        </span>{' '}
        <span>Recalled</span> <b>{formatNumber(recalled.times)}</b>
      </Link>
    </div>
  )
}

function Group({ group: { title, entity, items }, children }: { group: BriefGroup; children: ReactNode }) {
  const isUnread = items.some(({ isRead }) => !isRead)
  return (
    <div className={classes.group} data-unread={isUnread || undefined}>
      <div className={classes.about}>
        <h3>
          {entity && <TypeDot type={entity.type} />}
          {entity ? (
            <Link className="loci-touch" to="/entities/$entityId" params={{ entityId: entity.id }}>
              <bdi>{title}</bdi>
            </Link>
          ) : (
            <bdi>{title}</bdi>
          )}
        </h3>
        <p>
          {entity && `${entity.type} · `}
          {sumUp(items)}
          {isUnread && <span className="loci-unseen">, unread</span>}
        </p>
      </div>
      <ul className={classes.lines}>{children}</ul>
    </div>
  )
}

function RecalledRow({ brief: { recalled } }: { brief: Brief }) {
  const { times, notFound, most } = recalled
  if (times === 0) return null
  return (
    <div className={classes.group}>
      <div className={classes.about}>
        <h3>Recalled</h3>
        <p>
          {countOf(times, 'time', 'times')}
          {notFound > 0 && `, ${formatNumber(notFound)} found nothing`}
        </p>
      </div>
      <div className={classes.recalled}>
        {most && (
          <span dir="auto">
            Most told: <VisibleText text={plainText(most.content)} />{' '}
            <span className={classes.dim}>
              on <bdi>{most.entity.name}</bdi>, {countOf(most.times, 'time', 'times')}
            </span>
          </span>
        )}
        <Link to="/recalls" className={rows.more}>
          All recalls
        </Link>
      </div>
    </div>
  )
}
