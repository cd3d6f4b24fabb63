import type { Operation } from '@loci/contract/endpoint'
import type { ErrorCode } from '@loci/contract/errors'
import { AppError } from '../../ground/errors/app-error.ts'
import { CallGoneError, type OnGone, QueueFullError } from '../../ground/lib/call-queue.ts'
import type { Actor } from '../auth/actor.ts'
import { requireAllowed } from '../auth/permissions.ts'
import type { Context } from '../context.ts'
import type { RunningOperation } from './meter.ts'
import {
  isLimited,
  lowestOperationsMax,
  operationsLimitReached,
  operationsMaxOf,
  planInForce,
} from './plan-in-force.ts'
import { getPlan } from './usage.repo.ts'

type Run<T> = (actor: Actor) => Promise<T>

/**
 * Runs one call in the account's turn, if the caller has the required right, and counts it with its duration, whether
 * it succeeds or fails, unless it is refused because rights are missing. Every entry point does this, or
 * {@link runUncounted}, once per call. `run` gets the caller with the operation, which a write counts in its own
 * transaction. Throws `not_permitted`, `session_required`, `second_factor_missing`, and `operations_limit_reached` if the
 * call would store something and the month's operations are used up; such a call is not counted.
 */
export function runOperation<T>(
  ctx: Context,
  actor: Actor,
  operation: Operation,
  run: Run<T>,
  onGone?: OnGone,
): Promise<T> {
  return queueCall(ctx, actor.accountId, () => runCounted(ctx, actor, operation, run), onGone)
}

/** The same for a call that is no operation of the plan: it is neither counted nor refused at the monthly limit. */
export function runUncounted<T>(
  ctx: Context,
  actor: Actor,
  operation: Operation,
  run: Run<T>,
  onGone?: OnGone,
): Promise<T> {
  return queueCall(
    ctx,
    actor.accountId,
    async () => {
      requireAllowed(actor, operation.requires, operation)
      return run({ ...actor, operation: { countIn: async () => {} } })
    },
    onGone,
  )
}

async function runCounted<T>(ctx: Context, actor: Actor, operation: Operation, run: Run<T>): Promise<T> {
  const running = isLimited(operation)
    ? await beginLimited(ctx, actor, operation)
    : ctx.usage.begin(actor, operation)
  const startedAt = performance.now()
  let isRefused = false
  try {
    requireAllowed(actor, operation.requires, operation)
    return await run({ ...actor, operation: running })
  } catch (error) {
    isRefused = error instanceof AppError && refusals.has(error.code)
    throw error
  } finally {
    running.end(performance.now() - startedAt, isRefused)
  }
}

/** The credentials do not get as far as the call wanted. */
const refusals = new Set<string>([
  'not_permitted',
  'session_required',
  'second_factor_missing',
  'not_proposable',
] satisfies ErrorCode[])

async function beginLimited(ctx: Context, actor: Actor, operation: Operation): Promise<RunningOperation> {
  const { accountId } = actor
  await ctx.usage.learn(accountId)
  if (ctx.usage.hasRoom(accountId, lowestOperationsMax)) return ctx.usage.begin(actor, operation)
  const plan = planInForce(ctx.config, await getPlan(ctx.db, accountId))
  if (ctx.usage.hasRoom(accountId, operationsMaxOf(plan))) return ctx.usage.begin(actor, operation)
  throw operationsLimitReached(ctx.config, ctx.now(), plan)
}

/** Limit of one account, besides its running calls. */
export const waitingCallsMax = 1_000

/**
 * Runs a call in the account's turn. Throws `rate_limited` if too many calls of the account wait, and
 * `request_aborted` if `onGone` reports that the client has disconnected.
 */
export async function queueCall<T>(
  ctx: Context,
  accountId: number,
  call: () => Promise<T>,
  onGone?: OnGone,
): Promise<T> {
  try {
    return await ctx.callQueue.run(accountId, call, onGone)
  } catch (error) {
    if (error instanceof QueueFullError) throw tooManyWaiting(error)
    if (error instanceof CallGoneError) {
      throw new AppError('request_aborted', 'The client disconnected before the call began', { cause: error })
    }
    throw error
  }
}

function tooManyWaiting(cause: Error): AppError {
  const words = `An account may have ${waitingCallsMax.toLocaleString('en-US')} calls waiting. Try again in a moment.`
  return new AppError('rate_limited', words, {
    retryAfter: 1,
    rateLimit: { limit: waitingCallsMax, remaining: 0, resetSeconds: 1 },
    cause,
  })
}
