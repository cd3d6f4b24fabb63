import type { User } from '@loci/contract/auth'
import type { Connection } from '@loci/contract/connections'
import type { ApiKey } from '@loci/contract/keys'
import type { Space } from '@loci/contract/spaces'
import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useConnections } from '../../features/connections/connections.queries.ts'
import { DoorGlyph } from '../../features/doors/door-glyph.tsx'
import classes from '../../features/doors/doors.module.css'
import {
  type Door,
  doorInto,
  doorWords,
  passOfConnection,
  passOfKey,
} from '../../features/doors/doors.rules.ts'
import { TryDoor } from '../../features/doors/try-door.tsx'
import { useKeys } from '../../features/keys/keys.queries.ts'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Frame } from '../../ui/frame.tsx'
import { TimeText } from '../../ui/time-text.tsx'

const dayMs = 86_400_000

type Column = {
  id: string
  name: string
  kind: string
  /** Null if never; undefined if that is not counted. */
  lastUsedAt: string | null | undefined
  endsSoon: boolean
  door: (space: Space) => Door
  /** The whole key, where this page knows it. */
  secret?: string | undefined
}

/** Which agent comes into which memory, and how far: a row for each space, a column for each key and connection. */
export function DoorsBoard() {
  const { data: spaces, error: spacesError } = useSpaces()
  const { columns, error = spacesError, retry } = useColumns()
  const [trying, setTrying] = useState<Space>()
  if (error && columns === undefined)
    return <ErrorAlert message={messageOf(error, 'Could not load the doors')} onRetry={retry} />
  if (spaces === undefined || columns === undefined)
    return (
      <div role="status" aria-label="Loading the doors">
        <Skeleton height={240} radius="md" />
      </div>
    )
  const secret = columns[0]?.secret
  return (
    <Frame>
      <section className={classes.scroll} aria-label="Doors" tabIndex={-1}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Memory</th>
              {columns.map(({ id, name, kind }) => (
                <th key={id} scope="col">
                  <bdi>{name}</bdi>
                  <span>{kind}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {spaces.map((space) => (
              <tr key={space.id}>
                <th scope="row">
                  <bdi>{space.name}</bdi>
                  <span>{countOf(space.entities, 'entity', 'entities')}</span>
                </th>
                {columns.map((column) => (
                  <Cell
                    key={column.id}
                    column={column}
                    door={column.door(space)}
                    onTry={column.secret === undefined ? undefined : () => setTrying(space)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {trying && secret && (
        <TryDoor key={trying.id} space={trying} secret={secret} onClose={() => setTrying(undefined)} />
      )}
    </Frame>
  )
}

type CellProps = { column: Column; door: Door; onTry: (() => void) | undefined }

function Cell({ column: { lastUsedAt, endsSoon }, door, onTry }: CellProps) {
  const isRecent = lastUsedAt != null && Date.now() - Date.parse(lastUsedAt) < dayMs
  return (
    <td data-door={door}>
      <span className={classes.cell}>
        <DoorGlyph door={door} />
        <span>
          <b>{doorWords[door]}</b>
          {door !== 'none' && lastUsedAt !== undefined && (
            <span className={classes.light} data-light={endsSoon ? 'ends' : isRecent ? 'recent' : 'quiet'}>
              {endsSoon ? 'Ends soon' : lastUsedAt === null ? 'Never' : <TimeText iso={lastUsedAt} />}
            </span>
          )}
        </span>
        {onTry && door !== 'none' && (
          <button type="button" className={classes.try} onClick={onTry}>
            Try it
          </button>
        )}
      </span>
    </td>
  )
}

/** The personal key first, then keys, then connections; undefined until they are known. */
function useColumns() {
  const user = useUser()
  const keys = useKeys()
  const connections = useConnections(false)
  const error = keys.error ?? connections.error ?? undefined
  const retry = () => {
    void keys.refetch()
    void connections.refetch()
  }
  const columns =
    user === undefined || keys.data === undefined || connections.data === undefined
      ? undefined
      : columnsOf(user, keys.data, connections.data)
  return { columns, error, retry }
}

function columnsOf(user: User, keys: readonly ApiKey[], connections: readonly Connection[]): Column[] {
  const rights = user.role === 'viewer' ? ['memory:read'] : []
  return [
    {
      ...{ id: 'personal', name: 'Personal key', kind: 'yours', lastUsedAt: undefined, endsSoon: false },
      door: (space: Space) => doorInto(space, { rights, writes: 'direct', spaces: null }),
      secret: user.apiKey ?? undefined,
    },
    ...keys
      .filter(({ isExpired }) => !isExpired)
      .map((key) => ({
        ...{ id: key.id, name: key.name, kind: 'API key', lastUsedAt: key.lastUsedAt },
        endsSoon: key.isExpiringSoon,
        door: (space: Space) => doorInto(space, passOfKey(key)),
      })),
    ...connections.map((connection) => ({
      ...{ id: connection.id, name: connection.client.name, kind: 'signed in', endsSoon: false },
      lastUsedAt: connection.lastUsedAt,
      door: (space: Space) => doorInto(space, passOfConnection(connection)),
    })),
  ]
}
