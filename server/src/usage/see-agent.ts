import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { storeAgentSeen } from './usage.repo.ts'

/** Accounts remembered as seen, in this process; past that they are looked at once more. */
const rememberedMax = 10_000
const seen = new WeakMap<Context, Set<number>>()

/** Keeps that an agent of this account has called, once for good: settings wait for that. */
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
