import type { Observation } from '@loci/contract/observations'
import { Badge, Button, Kbd } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../lib/errors.ts'
import { formatFactTime, formatHeld } from '../../lib/fact-time.ts'
import { formatDate } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import { useNow } from '../../lib/use-now.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { writerOf } from '../../ui/writer-name.ts'
import classes from './fact-facts.module.css'
import { useConfirmObservation, useDeleteObservation } from './observations.queries.ts'

/** When a fact held, and whether it still does; not what a label beside it says already. */
export function FactTimes({ observation, isInYear }: { observation: Observation; isInYear: boolean }) {
  const { expiresAt, replacedBy } = observation
  const held = formatHeld(observation)
  const now = useNow()
  return (
    <>
      {replacedBy !== undefined && (
        <Badge color="gray" size="sm">
          Replaced
        </Badge>
      )}
      {held && !isInYear && <span>{held}</span>}
      {expiresAt && (
        <Badge color="gray" size="sm">
          {Date.parse(expiresAt) <= now ? 'ended' : 'ends'} {formatDate(expiresAt)}
        </Badge>
      )}
    </>
  )
}

/** Since when something held that was replaced, and by whom: `since 2021, replaced on 1 Sep 2026 by Maya`. */
export function FactBefore({ observation, by }: { observation: Observation; by: Observation }) {
  const since = observation.at && `since ${formatFactTime(observation.at)}`
  const replaced =
    by.at === undefined
      ? 'replaced'
      : `replaced ${by.at.length === dayLength ? 'on' : 'in'} ${formatFactTime(by.at)}`
  const writer = by.by && `by ${writerOf(by.by)}`
  return (
    <span>
      {[since, replaced].filter(Boolean).join(', ')} <bdi>{writer}</bdi>
    </span>
  )
}

const dayLength = 'yyyy-mm-dd'.length

/** Where a fact is from and what it rests on. */
export function FactOrigin({ observation: { source, files = [], stale } }: { observation: Observation }) {
  if (source === undefined && files.length === 0) return null
  return (
    <div className={classes.origin}>
      {source && <Source source={source} />}
      {/* The remark on stale files names them. */}
      {(stale ? [] : files).map((file) => (
        <code key={`${file.path} ${file.lines}`} className={classes.file} title={file.repository}>
          {whereOf(file)}
        </code>
      ))}
    </div>
  )
}

export const whereOf = ({ path, lines }: { path: string; lines?: string | undefined }) =>
  lines === undefined ? path : `${path}:${lines}`

export function Source({
  source: { url, title, conversationId, turnId, quote },
  word = 'from',
}: {
  source: NonNullable<Observation['source']>
  word?: string
}) {
  const name = title ?? url ?? (conversationId === undefined ? 'a quote' : 'a conversation')
  const mayRead = useMay('conversations:read')
  const isLink = url !== undefined && /^https?:\/\//i.test(url)
  return (
    <span className={classes.source} title={quote}>
      {word}{' '}
      {isLink ? (
        <a href={url} target="_blank" rel="noreferrer noopener">
          {name}
        </a>
      ) : conversationId !== undefined && mayRead ? (
        <Link
          to="/conversations/$conversationId"
          params={{ conversationId }}
          search={{ around: turnId }}
          className="loci-touch"
        >
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi>{name}</bdi>
      )}
    </span>
  )
}

type StaleProps = {
  entityId: string
  observation: Observation
  isReadOnly: boolean
  /** Whether the keys of the page act on it. */
  hasKeys?: boolean | undefined
  onCorrect: () => void
}

/** Says which files of a fact have changed, and offers to settle it in one step. */
export function StaleRemark({ entityId, observation, isReadOnly, hasKeys = false, onCorrect }: StaleProps) {
  const { id, stale = [] } = observation
  const confirm = useConfirmObservation(entityId)
  const remove = useDeleteObservation(entityId)
  const notifyUndoable = useNotifyUndoable()
  if (stale.length === 0) return null
  const told = (message: string) => ({
    onSuccess: ({ setId }: { setId: string | undefined }) => notifyUndoable(message, setId),
    onError: (error: Error) => notifyError('Failed to save', messageOf(error, '')),
  })
  const settle = () => confirm.mutate(id, told('Confirmed'))
  const forget = () => remove.mutate(id, told('Observation deleted'))
  const key = (name: string) => (hasKeys ? <Kbd size="xs">{name}</Kbd> : undefined)
  return (
    <div className={classes.stale}>
      {hasKeys && !isReadOnly && <StaleKeys onConfirm={settle} onForget={forget} />}
      <Badge color="yellow" size="sm" leftSection={<IconAlertTriangle size={12} />}>
        Stale
      </Badge>
      <span>
        {stale
          .map((file) => `${whereOf(file)} ${file.reason === 'gone' ? 'is gone' : 'has changed'}`)
          .join(', ')}
      </span>
      {!isReadOnly && (
        <div className={classes.cures}>
          <Button
            size="compact-xs"
            variant="default"
            loading={confirm.isPending}
            rightSection={key('A')}
            onClick={settle}
          >
            Still true
          </Button>
          <Button size="compact-xs" variant="default" rightSection={key('E')} onClick={onCorrect}>
            Correct
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            loading={remove.isPending}
            rightSection={key('D')}
            onClick={forget}
          >
            Forget
          </Button>
        </div>
      )}
    </div>
  )
}

function StaleKeys({ onConfirm, onForget }: { onConfirm: () => void; onForget: () => void }) {
  useScreenKeys({ a: onConfirm, d: onForget })
  return null
}
