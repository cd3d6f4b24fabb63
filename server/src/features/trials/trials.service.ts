import type { DoorTrial, TryDoor } from '@loci/contract/doors'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import type { Actor, Caller } from '../../tenancy/auth/actor.ts'
import { callerOfFoundConnection, callerOfFoundKey } from '../../tenancy/auth/authenticate.ts'
import { findConnectionById, findKeyById } from '../../tenancy/auth/callers.repo.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import { actorOnSpace } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { requireConnection } from '../connections/connections.service.ts'
import { requireKey } from '../keys/keys.service.ts'
import { previewRecall } from '../memories/preview-recall.ts'
import { listSpaces } from '../spaces/spaces.service.ts'

/**
 * What an agent would be told through a key, a connection or the caller's personal key. It is neither counted nor kept,
 * and writes nothing but its line in the audit log. Throws `key_not_found`, `connection_not_found`, `space_not_found`
 * for a space that the caller cannot reach either.
 */
export async function tryDoor(ctx: Context, actor: Actor, asked: TryDoor): Promise<DoorTrial> {
  const { spaceId } = await actorOnSpace(ctx, actor, asked.space)
  const { caller, name } = await requireCredential(ctx, actor, asked.credential)
  const space = toId('spc', spaceId)
  const trial = await attempt(ctx, caller, asked, space)
  await recordAudit(ctx, actor, {
    action: 'door_tried',
    subject: { kind: caller.kind === 'oauth' ? 'connection' : 'key', id: asked.credential, name },
    details: { space, tool: asked.tool, outcome: trial.outcome },
  })
  return trial
}

type Credential = { caller: Caller; name: string }

/** The caller that a credential makes. */
async function requireCredential(ctx: Context, actor: Actor, id: string): Promise<Credential> {
  const { accountId } = actor
  if (id === 'personal') return { caller: asPersonalKey(actor), name: 'Personal key' }
  if (id.startsWith('con_')) {
    const { clientName } = await requireConnection(ctx, actor, id)
    const found = await findConnectionById(ctx.db, accountId, id)
    if (found === undefined) throw new AppError('connection_not_found', 'Connection not found')
    return { caller: callerOfFoundConnection(found), name: clientName }
  }
  const { name } = await requireKey(ctx, actor, id)
  const found = await findKeyById(ctx.db, accountId, id)
  const caller = found && callerOfFoundKey(ctx, found)
  if (caller === undefined) throw new AppError('key_not_found', 'This key has expired')
  return { caller, name }
}

function asPersonalKey({ accountId, userId, role, spaceCount, hasReviewed }: Actor): Caller {
  return {
    ...{ kind: 'personal_key', accountId, userId, role },
    ...(spaceCount !== undefined && { spaceCount }),
    ...(hasReviewed && { hasReviewed }),
  }
}

/** A refusal is an answer, too. */
async function attempt(
  ctx: Context,
  caller: Caller,
  { tool, text }: TryDoor,
  space: string,
): Promise<DoorTrial> {
  const startedAt = performance.now()
  const endWith = (trial: Omit<DoorTrial, 'ms'>) => ({
    ...trial,
    ms: Math.round(performance.now() - startedAt),
  })
  try {
    const agent = await actorOnSpace(ctx, caller, space)
    if (tool === 'add_observations') return endWith(await describeWrite(ctx, agent, text))
    requireAllowed(agent, 'memory:read')
    return endWith({ outcome: 'answered', ...(await previewRecall(ctx, agent, { query: text })) })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return endWith({ outcome: 'refused', text: error.message, observations: 0, tokens: 0 })
  }
}

/** Whether a fact would be stored at once or wait for a review; over MCP a reviewed space makes agents wait. */
async function describeWrite(ctx: Context, agent: Actor, fact: string): Promise<Omit<DoorTrial, 'ms'>> {
  requireAllowed(agent, 'memory:write')
  const spaces = await listSpaces(ctx, agent)
  const { writes } = spaces.find(({ id }) => id === toId('spc', agent.spaceId)) ?? {}
  const waits = agent.writes === 'propose' || writes === 'propose'
  return { outcome: waits ? 'proposed' : 'stored', text: fact, observations: 1, tokens: 0 }
}
