import type { Connection } from '@loci/contract/connections'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors/app-error.ts'
import { toId } from '../../lib/ids.ts'
import { toIso } from '../../lib/time.ts'
import { listSpaces } from '../spaces/spaces.service.ts'
import * as connections from './connections.repo.ts'
import { endConnection } from './end-connection.ts'

/** The programs that a person connected, newest first. */
export async function listConnections(ctx: Context, actor: Actor): Promise<Connection[]> {
  const { accountId, userId } = actor
  const stored = await connections.listConnections(ctx.db, accountId, userId, ctx.now())
  const names = new Map((await listSpaces(ctx, actor)).map((space) => [space.id, space.name]))
  return stored.map(({ id, clientName, clientHost, scopes, spaceId, createdAt, lastUsedAt }) => ({
    id,
    client: { name: clientName, host: clientHost },
    scopes,
    space: { id: toId('spc', spaceId), name: names.get(toId('spc', spaceId)) ?? '' },
    createdAt: toIso(createdAt),
    lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
  }))
}

/** Ends a connection at once. Throws `connection_not_found`. */
export async function deleteConnection(
  ctx: Context,
  { accountId, userId }: Actor,
  id: string,
): Promise<void> {
  const connection = await connections.findConnection(ctx.db, accountId, id)
  const isOwn = connection?.userId === userId
  if (!isOwn || !(await endConnection(ctx, accountId, id))) {
    throw new AppError('connection_not_found', 'Connection not found')
  }
}
