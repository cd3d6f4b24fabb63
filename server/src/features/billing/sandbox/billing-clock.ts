import type { Context } from '../../../context.ts'
import { minuteMs } from '../../../lib/time.ts'
import { inBillingTime } from '../billing-time.ts'
import { settleAccounts } from './in-account.ts'

const roundEveryMs = minuteMs

/** Looks once a minute for periods that end; what a server at rest missed, the next one that runs does. */
export class BillingClock {
  readonly #ctx: Context
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#round = this.#run()
    }, roundEveryMs).unref()
    this.#round = this.#run()
  }

  async #run(): Promise<void> {
    try {
      await settleAccounts(await inBillingTime(this.#ctx))
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'periods that end could not be settled; trying again in a minute')
    }
  }

  /** Waits for the round under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#round
  }
}
