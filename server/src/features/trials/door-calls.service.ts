import type { DoorCall } from '@loci/contract/doors'
import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { reachOf } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { listDoorCallRows } from '../../tenancy/usage/door-calls.repo.ts'
import { listConnections } from '../connections/connections.service.ts'
import { listKeys } from '../keys/keys.service.ts'

/** The newest call of each credential that the caller manages, in each space. */
export async function listDoorCalls(ctx: Context, actor: Actor): Promise<DoorCall[]> {
  await ctx.usage.flush()
  const calls = await listDoorCallRows(ctx.db, actor.accountId)
  const mine = reachOf(actor, 'keys:manage') === 'all' ? undefined : await listOwn(ctx, actor)
  return calls
    .filter(({ credential }) => mine?.has(credential) ?? true)
    .map(({ spaceId, credential, at, what, isRefused }) => ({
      ...{ credential, what, isRefused },
      spaceId: toId('spc', spaceId),
      at: toIso(at),
    }))
}

async function listOwn(ctx: Context, actor: Actor): Promise<Set<string>> {
  const keys = await listKeys(ctx, actor)
  const connections = await listConnections(ctx, actor, { all: false })
  return new Set([actor.userId, ...[...keys, ...connections].map(({ id }) => id)])
}
