import type { Requirement } from '@loci/contract/endpoint'
import { AppError } from '../../ground/errors/app-error.ts'
import { oneAtATime } from '../../ground/lib/one-at-a-time.ts'
import type { Context } from '../context.ts'
import type { Actor } from './actor.ts'
import { requireAllowed } from './permissions.ts'
import { confirmActor } from './resolve-space.ts'

/** Guards against timers that fire slightly early, and against clocks that stand still. */
const lookMinMs = 20

/**
 * Calls `onEnd` once when the credentials of an open connection are no longer valid or no longer reach its space or
 * have `right`: at once when any process revokes them or when they expire, at the latest after `roundMs`. Returns a
 * function that stops watching.
 */
export function watchCredentials(
  ctx: Context,
  { token, actor, right = 'credential' }: { token: string; actor: Actor; right?: Requirement },
  roundMs: number,
  onEnd: (error: AppError) => void,
): () => void {
  let endsAt = actor.endsAt
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const look = oneAtATime(async () => {
    try {
      const confirmed = await confirmActor(ctx, token, actor)
      requireAllowed(confirmed, right)
      endsAt = confirmed.endsAt
    } catch (error) {
      // If the database is unavailable, the connection stays open.
      if (error instanceof AppError && !stopped) {
        stop()
        onEnd(error)
      }
    }
    schedule()
  })
  const schedule = () => {
    clearTimeout(timer)
    if (stopped) return
    const left = endsAt === undefined ? roundMs : Math.max(lookMinMs, endsAt - ctx.now())
    timer = setTimeout(() => void look(), Math.min(left, roundMs)).unref()
  }
  // The session may end in its home account, or the membership in this one.
  const unwatch = [actor.accountId, actor.homeAccountId].flatMap((accountId) =>
    accountId === undefined ? [] : [ctx.changes.onRevocation(accountId, () => void look())],
  )
  const stop = () => {
    stopped = true
    clearTimeout(timer)
    for (const end of unwatch) end()
  }
  schedule()
  return stop
}
