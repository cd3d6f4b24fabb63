import { setTimeout as sleep } from 'node:timers/promises'
import type { MailConfig } from '../config-mail.ts'
import type { Context } from '../context.ts'
import { createLease } from '../leases/lease.ts'
import { minuteMs, secondMs } from '../lib/time.ts'
import { onMailQueued } from './queue-mail.ts'
import { sendMails } from './send-mails.ts'
import { createSmtp, type SendMail } from './smtp.ts'

const lookEveryMs = 10 * secondMs
/** Longer than an attempt takes if the mail server does not respond. */
const leaseMs = 2 * minuteMs
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
    const lease = createLease(this.#ctx, 'mails', leaseMs)
    let isHeld = false
    const goOn = async () => {
      isHeld = !this.#isClosed && (await lease.hold())
      return isHeld
    }
    try {
      this.#send ??= await createSmtp(this.#config)
      while (this.#again) {
        this.#again = false
        await sendMails(this.#ctx, this.#config, this.#send, goOn)
      }
      if (isHeld && !this.#isClosed) await lease.release()
    } catch (error) {
      if (!this.#isClosed) this.#ctx.log.error({ err: error }, 'mails could not be sent; trying again')
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
