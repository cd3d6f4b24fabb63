import { findActorsByNumber } from '../../memory/log/log.repo.ts'
import { countByProposer } from '../../memory/write/proposals/proposals.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { listDrafts } from '../conversations/drafts/list-drafts.ts'
import { isReviewer } from './proposals.service.ts'

/** How much waits for a decision of a person. */
export type Waiting = {
  count: number
  /** Who proposed most of it, the most first, and how much others did. */
  proposers: { name: string; count: number }[]
  others: number
  /** Sentences of conversations that could be kept. */
  drafts: number
  /** When the oldest proposal was made. */
  since: number | undefined
}

const proposersMax = 5

/** What the caller may decide on. */
export async function countWaiting(ctx: Context, actor: Actor): Promise<Waiting> {
  const rows = (await isReviewer(ctx, actor)) ? await countByProposer(ctx.db, actor) : []
  const named = rows.slice(0, proposersMax)
  const actors = await findActorsByNumber(
    ctx.db,
    actor.accountId,
    named.map(({ actorId }) => actorId),
  )
  const others = rows.slice(proposersMax).reduce((sum, { count }) => sum + count, 0)
  const drafts = await countDrafts(ctx, actor)
  return {
    count: rows.reduce((sum, { count }) => sum + count, drafts),
    proposers: named.map(({ actorId, count }) => ({ name: actors.get(actorId)?.name || 'Unknown', count })),
    others,
    drafts,
    since: rows.length === 0 ? undefined : Math.min(...rows.map(({ since }) => since)),
  }
}

async function countDrafts(ctx: Context, actor: Actor): Promise<number> {
  if (!hasRight(actor, 'conversations:read') || !hasRight(actor, 'memory:write')) return 0
  return (await listDrafts(ctx, actor, { status: 'open', limit: 1 })).open
}
