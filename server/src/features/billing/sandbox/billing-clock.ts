import { createPeriodicWork, type PeriodicWork } from '../../../ground/lib/periodic-work.ts'
import { minuteMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { inBillingTime } from '../billing-time.ts'
import { settleAccounts } from '../settle.ts'

const roundEveryMs = minuteMs

/** Checks once a minute for periods that end; steps missed during downtime run at the next check. */
export const createBillingClock = (ctx: Context): PeriodicWork =>
  createPeriodicWork(
    roundEveryMs,
    async () => settleAccounts(await inBillingTime(ctx)),
    (error) =>
      ctx.log.error({ err: error }, 'periods that end could not be settled; trying again in a minute'),
  )
