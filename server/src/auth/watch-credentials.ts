import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import type { Actor } from './actor.ts'
import { confirmActor } from './resolve-space.ts'

/** Against a clock that is read a little early, and clocks that stand still. */
const lookMinMs = 20

/**
 * Calls `onEnd` once when the credentials of a connection that stays open are no longer good, or no longer reach its
 * space: at once when they are revoked, in whichever process, and when their time has come; at the latest after
 * `roundMs`. The answer ends that.
 */
export function watchCredentials(
  ctx: Context,
  { token, actor }: { token: string; actor: Actor },
  roundMs: number,
  onEnd: () => void,
): () => void {
  let endsAt = actor.endsAt
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const look = oneAtATime(async () => {
    try {
      endsAt = (await confirmActor(ctx, token, actor)).endsAt
    } catch (error) {
      // A database that cannot be asked is no reason to turn anybody away.
      if (error instanceof AppError && !stopped) {
        stop()
        onEnd()
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
  // A session may have ended where it belongs, or the membership here.
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
