import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { storeAgentSeen } from './usage.repo.ts'

/** Spaces remembered as seen by this process; beyond that they are looked up again. */
const rememberedMax = 10_000
const seen = new WeakMap<Context, Set<string>>()

/** Records, once per space, that an agent has called there; the screens that connect one wait for it. */
export async function recordAgent(ctx: Context, { accountId, spaceId }: Actor): Promise<void> {
  const space = `${accountId} ${spaceId}`
  const spaces = seen.get(ctx) ?? new Set<string>()
  if (spaces.has(space)) return
  if (spaces.size >= rememberedMax) spaces.clear()
  seen.set(ctx, spaces.add(space))
  try {
    await storeAgentSeen(ctx.db, { accountId, spaceId }, ctx.now())
  } catch (error) {
    spaces.delete(space)
    ctx.log.warn({ err: error }, 'the first call of an agent could not be stored; trying again')
  }
}
