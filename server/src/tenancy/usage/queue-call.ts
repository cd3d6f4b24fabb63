import { AppError } from '../../ground/errors/app-error.ts'
import { CallGoneError, type OnGone, QueueFullError } from '../../ground/lib/call-queue.ts'
import type { Context } from '../context.ts'

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
