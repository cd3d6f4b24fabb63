import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { storeAgentSeen } from './usage.repo.ts'

/** Accounts remembered as seen by this process; beyond that they are looked up again. */
const rememberedMax = 10_000
const seen = new WeakMap<Context, Set<number>>()

/** Records, once per account, that an agent has called; the settings page waits for it. */
export async function seeAgent(ctx: Context, { accountId }: Actor): Promise<void> {
  const accounts = seen.get(ctx) ?? new Set<number>()
  if (accounts.has(accountId)) return
  if (accounts.size >= rememberedMax) accounts.clear()
  seen.set(ctx, accounts.add(accountId))
  try {
    await storeAgentSeen(ctx.db, accountId, ctx.now())
  } catch (error) {
    accounts.delete(accountId)
    ctx.log.warn({ err: error }, 'the first call of an agent could not be stored; trying again')
  }
}
