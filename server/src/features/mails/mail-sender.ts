import { setTimeout as sleep } from 'node:timers/promises'
import type { MailConfig } from '../../ground/config/config-mail.ts'
import { secondMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { type GoOn, underLease } from '../../tenancy/leases/under-lease.ts'
import { onMailQueued } from './queue-mail.ts'
import { sendMails } from './send-mails.ts'
import { createSmtp, type SendMail } from './smtp.ts'

const lookEveryMs = 10 * secondMs
/** An unresponsive mail server delays shutdown no longer than this. */
const closeWithinMs = 5 * secondMs

/**
 * Sends the mails of the outbox, in one process at a time: those queued by this process at once, others within
 * seconds.
 */
export class MailSender {
  readonly #ctx: Context
  readonly #config: MailConfig
  #send: SendMail | undefined
  #timer: NodeJS.Timeout | undefined
  #forget: (() => void) | undefined
  #round: Promise<void> | undefined
  #again = false
  #isClosed = false

  constructor(ctx: Context, config: MailConfig) {
    this.#ctx = ctx
    this.#config = config
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref()
    this.#forget = onMailQueued(this.#ctx.config, () => this.#look())
    this.#look()
  }

  #look(): void {
    if (this.#isClosed) return
    this.#again = true
    this.#round ??= this.#run().finally(() => {
      this.#round = undefined
      if (this.#again) this.#look()
    })
  }

  async #run(): Promise<void> {
    const isOver = () => this.#isClosed
    try {
      this.#send ??= await createSmtp(this.#config)
      await underLease(this.#ctx, { name: 'mails', isOver, run: (goOn) => this.#sendAll(goOn) })
    } catch (error) {
      if (!this.#isClosed) this.#ctx.log.error({ err: error }, 'mails could not be sent; trying again')
    }
  }

  async #sendAll(goOn: GoOn): Promise<void> {
    while (this.#again && this.#send !== undefined) {
      this.#again = false
      await sendMails(this.#ctx, this.#config, this.#send, goOn)
    }
  }

  /** Waits briefly for the current mail; if it is not finished by then, it is sent again later. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#forget?.()
    const stop = new AbortController()
    await Promise.race([
      this.#round,
      sleep(closeWithinMs, undefined, { signal: stop.signal }).catch(() => {}),
    ])
    stop.abort()
  }
}
