import { createPeriodicWork, type PeriodicWork } from '../../../ground/lib/periodic-work.ts'
import type { Context } from '../../../tenancy/context.ts'
import { inBillingTime } from '../billing-time.ts'
import { checkDueBooks, checkDueEveryMs } from '../ledger/check-ledger.ts'
import { settleAccounts, settleEveryMs } from '../settle.ts'

/** A timer can fire early by less. */
const timerErrorMs = 1_000

/**
 * Settles periods within a minute of their end, and checks once an hour for books that were not compared for a day; what
 * was missed during downtime is done at the start.
 */
export function createBillingClock(ctx: Context): PeriodicWork {
  let checkedAt = 0
  let settleAt = 0
  const round = async () => {
    if (performance.now() < settleAt - timerErrorMs) return
    const inTime = await inBillingTime(ctx)
    settleAt = performance.now() + (await settleAccounts(inTime))
    if (ctx.now() - checkedAt < checkDueEveryMs) return
    checkedAt = ctx.now()
    await checkDueBooks(inTime)
  }
  return createPeriodicWork(settleEveryMs, round, (error) =>
    ctx.log.error({ err: error }, 'periods that end could not be settled; trying again in a minute'),
  )
}
