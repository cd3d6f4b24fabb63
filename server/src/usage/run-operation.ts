import { limitsOfPlan, plans, unlimited } from '@loci/contract/plans'
import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { monthOf, secondMs } from '../lib/time.ts'
import type { Operation } from './meter.ts'
import { getPlan } from './usage.repo.ts'

/** What agents and people store. Keys, account and billing stay open past the limit. */
const memoryResources: readonly string[] = ['entity', 'observation', 'relation', 'graph']

/** No plan allows less, so below it nobody needs to know the plan. */
const lowestLimit = Math.min(
  ...plans.map((plan) => plan.limits.maxQueries).filter((limit) => limit !== unlimited),
)

/**
 * Runs one call of a caller and counts it with its time, whether it succeeds or fails; every door does this once a
 * call. Throws `operations_limit_reached` instead when the call would store something and the month's operations are
 * used up; such a call does not count.
 */
export async function runOperation<T>(
  ctx: Context,
  actor: Actor,
  operation: Operation,
  run: () => Promise<T>,
): Promise<T> {
  const end = isLimited(operation)
    ? await beginLimited(ctx, actor, operation)
    : ctx.usage.begin(actor, operation)
  const startedAt = performance.now()
  try {
    return await run()
  } finally {
    end?.(performance.now() - startedAt)
  }
}

/** Reading back and deleting are never refused: nobody is locked out of what they stored. */
function isLimited({ type, resource }: Operation): boolean {
  return (type === 'create' || type === 'update') && memoryResources.includes(resource)
}

async function beginLimited(ctx: Context, actor: Actor, operation: Operation) {
  const { accountId } = actor
  await ctx.usage.learn(accountId)
  const end = ctx.usage.begin(actor, operation, lowestLimit)
  if (end !== undefined) return end
  const plan = await getPlan(ctx.db, accountId)
  const { maxQueries } = limitsOfPlan(plan)
  const limit = maxQueries === unlimited ? Number.POSITIVE_INFINITY : maxQueries
  return ctx.usage.begin(actor, operation, limit) ?? refuse(ctx, plan, limit)
}

function refuse(ctx: Context, plan: string, limit: number): never {
  const resetSeconds = Math.ceil((monthOf(ctx.now()).end - ctx.now()) / secondMs)
  throw new AppError(
    'operations_limit_reached',
    `Your plan allows ${limit.toLocaleString('en-US')} operations a month. Reading goes on; upgrade to store more before the month ends.`,
    {
      retryAfter: resetSeconds,
      rateLimit: { limit, remaining: 0, resetSeconds },
      details: [{ limit, used: limit, plan }],
    },
  )
}
