import type { Context } from '../../../context.ts'
import { createRounds, type Rounds } from '../../../lib/rounds.ts'
import { minuteMs } from '../../../lib/time.ts'
import { inBillingTime } from '../billing-time.ts'
import { settleAccounts } from './in-account.ts'

const roundEveryMs = minuteMs

/** Looks once a minute for periods that end; what a server at rest missed, the next one that runs does. */
export const createBillingClock = (ctx: Context): Rounds =>
  createRounds(
    roundEveryMs,
    async () => settleAccounts(await inBillingTime(ctx)),
    (error) =>
      ctx.log.error({ err: error }, 'periods that end could not be settled; trying again in a minute'),
  )
