import { setTimeout as sleep } from 'node:timers/promises'
import type { MailConfig } from '../../ground/config/config-mail.ts'
import { hourMs, minuteMs, secondMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { type GoOn, underLease } from '../../tenancy/leases/under-lease.ts'
import { onMailQueued } from './queue-mail.ts'
import { forgetMails, sendMails } from './send-mails.ts'
import { createSmtp, type SendMail } from './smtp.ts'

const lookEveryMs = minuteMs
/** While another process sends, it does not hear of the mails of this one. */
const lookAgainMs = 10 * secondMs
const forgetEveryMs = hourMs
/** An unresponsive mail server delays shutdown no longer than this. */
const closeWithinMs = 5 * secondMs

/**
 * Sends the mails of the outbox, in one process at a time: those queued by this process at once, others within a minute.
 */
export class MailSender {
  readonly #ctx: Context
  readonly #config: MailConfig
  #send: SendMail | undefined
  #timer: NodeJS.Timeout | undefined
  #later: NodeJS.Timeout | undefined
  #forgetsAt = 0
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
      const run = (goOn: GoOn) => this.#sendAll(goOn)
      if (await underLease(this.#ctx, { name: 'mails', isOver, run })) return
      this.#later ??= setTimeout(() => {
        this.#later = undefined
        this.#look()
      }, lookAgainMs).unref()
    } catch (error) {
      if (!this.#isClosed) this.#ctx.log.error({ err: error }, 'mails could not be sent; trying again')
    }
  }

  async #sendAll(goOn: GoOn): Promise<void> {
    while (this.#again && this.#send !== undefined) {
      this.#again = false
      await sendMails(this.#ctx, this.#config, this.#send, goOn)
    }
    if (performance.now() < this.#forgetsAt) return
    this.#forgetsAt = performance.now() + forgetEveryMs
    await forgetMails(this.#ctx, goOn)
  }

  /** Waits briefly for the current mail; if it is not finished by then, it is sent again later. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#later)
    this.#forget?.()
    const stop = new AbortController()
    await Promise.race([
      this.#round,
      sleep(closeWithinMs, undefined, { signal: stop.signal }).catch(() => {}),
    ])
    stop.abort()
  }
}
