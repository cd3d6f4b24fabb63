import type { Connection } from '@loci/contract/connections'
import { Button, Skeleton, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { wordsOfScopes } from './connection-words.ts'
import { useConnections, useDisconnect } from './connections.queries.ts'

/** The apps that the user connected, each with a button to disconnect it. Users who manage members see everybody's. */
export function ConnectedApps() {
  const { data: connections, error, refetch } = useConnections(useMay('members:manage'))
  if (error) {
    return (
      <ErrorAlert
        message={messageOf(error, 'Failed to load connected apps')}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!connections) {
    return (
      <div className={rows.row}>
        <Skeleton height={18} />
      </div>
    )
  }
  if (connections.length === 0) return <p className={rows.none}>No app is connected.</p>
  return (
    <ul>
      {connections.map((connection) => (
        <ConnectionRow key={connection.id} connection={connection} />
      ))}
    </ul>
  )
}

function ConnectionRow({ connection }: { connection: Connection }) {
  const { id, client, scopes, space, createdAt, lastUsedAt, person } = connection
  const user = useUser()
  const isOthers = person !== undefined && person.userId !== user?.id
  const disconnect = useDisconnect()
  return (
    <li className={rows.row}>
      <IconPlugConnected size={18} aria-hidden />
      <div className={rows.main}>
        <div className={rows.name} title={client.name}>
          {client.name}
        </div>
        <Text size="xs" c="dimmed">
          {client.name !== client.host && <>{client.host} · </>}
          {wordsOfScopes(scopes)} · {space.name} · connected <TimeText iso={createdAt} inline />
          {isOthers && <> by {person.name}</>}
          {lastUsedAt && (
            <>
              {' '}
              · last used <TimeText iso={lastUsedAt} inline />
            </>
          )}
        </Text>
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={`Disconnect ${client.name}${isOthers ? ` of ${person.name}` : ''}`}
        loading={disconnect.isPending}
        onClick={() =>
          disconnect.mutate(id, {
            onError: (error) => notifyError('Failed to disconnect the app', messageOf(error, '')),
          })
        }
      >
        Disconnect
      </Button>
    </li>
  )
}
