import type { Connection, UpdateConnection } from '@loci/contract/connections'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import { hasRight, notPermitted } from '../../tenancy/auth/permissions.ts'
import { listReachableSpaces } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import * as connections from './connections.repo.ts'
import { endConnection } from './end-connection.ts'

/** The clients that the caller, or everyone in the account, connected, newest first. Throws `not_permitted`. */
export async function listConnections(
  ctx: Context,
  actor: Actor,
  { all }: { all: boolean },
): Promise<Connection[]> {
  if (all && !hasRight(actor, 'members:manage')) throw notPermitted('members:manage')
  const { accountId, userId } = actor
  const stored = await connections.listConnectionRows(ctx.db, accountId, all ? undefined : userId, ctx.now())
  const makers = new Set(all ? stored.map((connection) => connection.userId) : [])
  const people = await connections.listPeople(ctx.db, [...makers])
  const names = new Map((await listReachableSpaces(ctx, actor)).map((space) => [space.spaceId, space.name]))
  return stored.map(
    ({ id, clientName, clientHost, scopes, writes, isReadOnly, spaceId, createdAt, lastUsedAt, ...of }) => ({
      id,
      client: { name: clientName, host: clientHost },
      scopes,
      writes,
      isReadOnly,
      space: { id: toId('spc', spaceId), name: names.get(spaceId) ?? '' },
      createdAt: toIso(createdAt),
      lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
      ...(people.has(of.userId) && { person: people.get(of.userId)! }),
    }),
  )
}

/** Takes effect with the app's next call; other people's connections require `members:manage`. Throws `connection_not_found`. */
export async function updateConnection(
  ctx: Context,
  actor: Actor,
  id: string,
  changes: UpdateConnection,
): Promise<void> {
  const { accountId } = actor
  await transact(ctx, accountId, async (inner) => {
    await announceRevocation(inner, accountId)
    const connection = await requireConnection(inner, actor, id)
    const { writes = connection.writes, isReadOnly = connection.isReadOnly } = changes
    await connections.updateConnectionReach(inner.db, { ...connection, writes, isReadOnly })
    await recordAudit(inner, actor, {
      action: 'connection_changed',
      subject: { kind: 'connection', id, name: connection.clientName },
      details: { writes, isReadOnly },
    })
  })
}

/** Other people's connections require `members:manage`. Throws `connection_not_found`. */
export async function requireConnection({ db }: Pick<Context, 'db'>, actor: Actor, id: string) {
  const connection = await connections.findConnectionRow(db, actor.accountId, id)
  if (connection === undefined || !(connection.userId === actor.userId || hasRight(actor, 'members:manage')))
    throw notFound()
  return connection
}

const notFound = () => new AppError('connection_not_found', 'Connection not found')

/**
 * Ends a connection immediately; other people's connections require `members:manage`. Throws `connection_not_found`.
 */
export async function deleteConnection(ctx: Context, actor: Actor, id: string): Promise<void> {
  const { accountId, userId } = actor
  const connection = await connections.findConnectionRow(ctx.db, accountId, id)
  const mayEnd = connection?.userId === userId || hasRight(actor, 'members:manage')
  if (!mayEnd || !(await endConnection(ctx, accountId, id, { author: actor }))) {
    throw notFound()
  }
}
