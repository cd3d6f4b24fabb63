import type { Context } from '../../context.ts'
import { getClockOffset } from './test-clock.repo.ts'

/**
 * The context with the time that billing goes by: the server's, unless its test clock was moved. Sessions, limits and
 * all else go on by the server's time. Doors call this once; called again, it would move the time twice.
 */
export async function inBillingTime(ctx: Context): Promise<Context> {
  if (!ctx.config.testClock) return ctx
  const offset = await getClockOffset(ctx.db)
  return offset === 0 ? ctx : { ...ctx, now: () => ctx.now() + offset }
}
