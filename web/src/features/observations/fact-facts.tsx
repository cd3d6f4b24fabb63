import type { Observation } from '@loci/contract/observations'
import { Badge, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../lib/errors.ts'
import { formatHeld } from '../../lib/fact-time.ts'
import { formatDate } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { useNow } from '../../lib/use-now.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import classes from './fact-facts.module.css'
import { useConfirmObservation, useDeleteObservation } from './observations.queries.ts'

/** When a fact held, and whether it still does. */
export function FactTimes({ observation }: { observation: Observation }) {
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
      {held && <span>{held}</span>}
      {expiresAt && (
        <Badge color="gray" size="sm">
          {Date.parse(expiresAt) <= now ? 'ended' : 'ends'} {formatDate(expiresAt)}
        </Badge>
      )}
    </>
  )
}

/** Where a fact is from and what it rests on. */
export function FactOrigin({ observation: { source, files = [] } }: { observation: Observation }) {
  if (source === undefined && files.length === 0) return null
  return (
    <div className={classes.origin}>
      {source && <Source source={source} />}
      {files.map((file) => (
        <code key={`${file.path} ${file.lines}`} className={classes.file} title={file.repository}>
          {whereOf(file)}
        </code>
      ))}
    </div>
  )
}

const whereOf = ({ path, lines }: { path: string; lines?: string | undefined }) =>
  lines === undefined ? path : `${path}:${lines}`

function Source({
  source: { url, title, conversationId, turnId, quote },
}: {
  source: NonNullable<Observation['source']>
}) {
  const name = title ?? url ?? (conversationId === undefined ? 'a quote' : 'a conversation')
  const mayRead = useMay('conversations:read')
  const isLink = url !== undefined && /^https?:\/\//i.test(url)
  return (
    <span className={classes.source} title={quote}>
      from{' '}
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

type StaleProps = { entityId: string; observation: Observation; isReadOnly: boolean; onCorrect: () => void }

/** Says which files of a fact have changed, and offers to settle it in one step. */
export function StaleRemark({ entityId, observation, isReadOnly, onCorrect }: StaleProps) {
  const { id, stale = [] } = observation
  const confirm = useConfirmObservation(entityId)
  const remove = useDeleteObservation(entityId)
  const notifyUndoable = useNotifyUndoable()
  if (stale.length === 0) return null
  const told = (message: string) => ({
    onSuccess: ({ setId }: { setId: string | undefined }) => notifyUndoable(message, setId),
    onError: (error: Error) => notifyError('Failed to save', messageOf(error, '')),
  })
  return (
    <div className={classes.stale}>
      <Badge color="yellow" size="sm">
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
            onClick={() => confirm.mutate(id, told('Confirmed'))}
          >
            Still true
          </Button>
          <Button size="compact-xs" variant="default" onClick={onCorrect}>
            Correct
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            loading={remove.isPending}
            onClick={() => remove.mutate(id, told('Observation deleted'))}
          >
            Forget
          </Button>
        </div>
      )}
    </div>
  )
}
