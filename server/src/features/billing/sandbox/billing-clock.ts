import { createPeriodicWork, type PeriodicWork } from '../../../ground/lib/periodic-work.ts'
import { minuteMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { inBillingTime } from '../billing-time.ts'
import { checkDueBooks, checkDueEveryMs } from '../ledger/check-ledger.ts'
import { settleAccounts } from '../settle.ts'

const roundEveryMs = minuteMs

/**
 * Checks once a minute for periods that end, and once an hour for books that were not compared for a day; what was missed
 * during downtime is done at the next check.
 */
export function createBillingClock(ctx: Context): PeriodicWork {
  let checkedAt = 0
  const round = async () => {
    const inTime = await inBillingTime(ctx)
    await settleAccounts(inTime)
    if (ctx.now() - checkedAt < checkDueEveryMs) return
    checkedAt = ctx.now()
    await checkDueBooks(inTime)
  }
  return createPeriodicWork(roundEveryMs, round, (error) =>
    ctx.log.error({ err: error }, 'periods that end could not be settled; trying again in a minute'),
  )
}
