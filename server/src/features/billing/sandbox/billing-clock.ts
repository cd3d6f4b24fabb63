import type { Context } from '../../../context.ts'
import { createRounds, type Rounds } from '../../../lib/rounds.ts'
import { minuteMs } from '../../../lib/time.ts'
import { inBillingTime } from '../billing-time.ts'
import { settleAccounts } from './in-account.ts'

const roundEveryMs = minuteMs

/** Checks once a minute for periods that end; steps missed during downtime run at the next check. */
export const createBillingClock = (ctx: Context): Rounds =>
  createRounds(
    roundEveryMs,
    async () => settleAccounts(await inBillingTime(ctx)),
    (error) =>
      ctx.log.error({ err: error }, 'periods that end could not be settled; trying again in a minute'),
  )
