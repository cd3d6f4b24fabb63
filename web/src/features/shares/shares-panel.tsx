import type { Share } from '@loci/contract/shares'
import { Button, Skeleton, Text } from '@mantine/core'
import { messageOf } from '../../lib/errors.ts'
import { countOf, formatDate } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { useEndShare, useShares } from './shares.queries.ts'

/** The pages that people without an account can open, each with a button to end it. */
export function SharesPanel() {
  const { data: shares, error, refetch } = useShares()
  if (error)
    return (
      <ErrorAlert message={messageOf(error, 'Failed to load shared views')} onRetry={() => void refetch()} />
    )
  if (!shares)
    return (
      <div className={rows.row}>
        <Skeleton height={18} />
      </div>
    )
  if (shares.length === 0)
    return <p className={rows.none}>Nothing is shared. Share a view from the graph or from an entity.</p>
  return (
    <ul>
      {shares.map((share) => (
        <ShareRow key={share.id} share={share} />
      ))}
    </ul>
  )
}

const kinds = { region: 'Region', path: 'Path', entity: 'Entity', date: 'Date' } as const

function ShareRow({ share }: { share: Share }) {
  const { id, kind, title, entities, createdAt, createdBy, expiresAt } = share
  const end = useEndShare()
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <li className={rows.row}>
      <div className={rows.main}>
        <div className={rows.name} title={title}>
          <bdi>{title}</bdi>
        </div>
        <Text size="xs" c="dimmed">
          {kinds[kind]}, {countOf(entities, 'entity', 'entities')} · shared{' '}
          <TimeText iso={createdAt} inline /> by {createdBy.name} ·{' '}
          {expiresAt === null ? (
            'no end'
          ) : (
            <>
              {isOver ? 'ended' : 'ends'} {formatDate(expiresAt)}
            </>
          )}
        </Text>
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={isOver ? `Remove ${title}` : `End ${title}`}
        loading={end.isPending}
        onClick={() =>
          end.mutate(id, {
            onError: (error) => notifyError('Failed to end the shared view', messageOf(error, '')),
          })
        }
      >
        {isOver ? 'Remove' : 'End'}
      </Button>
    </li>
  )
}
