import type { Session } from '@loci/contract/auth'
import { Badge, Button, Skeleton, Text } from '@mantine/core'
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react'
import { deviceOf } from '../../lib/device.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { useEndOtherSessions, useEndSession, useSessions } from './settings.queries.ts'

/** For the head of the list; shown only if there are other sessions. */
export function EndOtherSessions() {
  const { data: sessions = [] } = useSessions()
  const end = useEndOtherSessions()
  if (!sessions.some(({ current }) => !current)) return null
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      loading={end.isPending}
      onClick={() =>
        end.mutate(undefined, {
          onSuccess: () => notifySuccess('All other sessions have ended'),
          onError: (error) => notifyError('Failed to end the other sessions', messageOf(error, '')),
        })
      }
    >
      End all other sessions
    </Button>
  )
}

/** Where the user is signed in. */
export function SessionList() {
  const { data: sessions, error, refetch } = useSessions()
  if (error) {
    return <ErrorAlert message={messageOf(error, 'Failed to load sessions')} onRetry={() => void refetch()} />
  }
  if (!sessions) {
    return (
      <div className={rows.row}>
        <Skeleton height={18} />
      </div>
    )
  }
  return (
    <ul>
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </ul>
  )
}

function SessionRow({ session }: { session: Session }) {
  const end = useEndSession()
  const { name, mobile } = deviceOf(session.userAgent)
  const Icon = mobile ? IconDeviceMobile : IconDeviceLaptop
  return (
    <li className={rows.row}>
      <Icon size={18} aria-hidden />
      <div className={rows.main}>
        <div className={rows.name} title={session.userAgent}>
          {name}
        </div>
        <Text size="xs" c="dimmed">
          {session.current ? (
            'In use now'
          ) : (
            <>
              Last seen <TimeText iso={session.lastSeenAt} inline />
            </>
          )}{' '}
          · since <TimeText iso={session.createdAt} inline />
          {session.network && ` · from ${session.network}`}
        </Text>
      </div>
      {session.current ? (
        <Badge color="green">This session</Badge>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={end.isPending}
          onClick={() =>
            end.mutate(session.id, {
              onError: (error) => notifyError('Failed to end the session', messageOf(error, '')),
            })
          }
        >
          End session
        </Button>
      )}
    </li>
  )
}
