import type { Context } from '../../tenancy/context.ts'
import { getClockOffset } from './test-clock.repo.ts'

/**
 * Returns the context with billing time: the server's time, unless its test clock was moved. Sessions, limits and
 * everything else stay on server time. Call it once per entry point; a second call would shift the time twice.
 */
export async function inBillingTime(ctx: Context): Promise<Context> {
  if (!ctx.config.testClock) return ctx
  const offset = await getClockOffset(ctx.db)
  return offset === 0 ? ctx : { ...ctx, now: () => ctx.now() + offset }
}
