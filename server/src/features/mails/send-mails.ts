import { z } from 'zod'
import type { MailConfig } from '../../ground/config/config-mail.ts'
import { sha256 } from '../../ground/lib/secrets.ts'
import { dayMs, hourMs, minuteMs } from '../../ground/lib/time.ts'
import { deliveryFailed } from '../../ground/telemetry/events.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import {
  claimMail,
  type DueMail,
  deleteMail,
  endMail,
  listDueMails,
  listOldMails,
  noteFailure,
  type StoredMail,
} from './mails.repo.ts'
import { SendFailure, type SendMail } from './smtp.ts'

const mailsPerRound = 20
/** Delays after the first attempt, the second, ...; after the last one the mail is given up. */
const retryWaitsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 12 * hourMs, dayMs]
const mailsKeptMs = 90 * dayMs
const forgottenPerRound = 500

const Body = z.object({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  unsubscribeUrl: z.string().optional(),
})

/**
 * Sends due mails one by one, until none is left or the mail server cannot be reached. `goOn` is called before each
 * mail. If the process dies in between, a later attempt sends the mail with the same Message-ID.
 */
export async function sendMails(
  ctx: Context,
  mail: MailConfig,
  send: SendMail,
  goOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (;;) {
    const due = await listDueMails(ctx.db, ctx.now(), mailsPerRound)
    for (const one of due) {
      if (!(await goOn())) return
      if (!(await sendOne(ctx, mail, send, one))) return
    }
    if (due.length < mailsPerRound) return
  }
}

/** Deletes what is left of old mails. `goOn` is called before each page. */
export async function forgetMails(ctx: Context, goOn: () => Promise<boolean>): Promise<void> {
  let found = forgottenPerRound
  while (found === forgottenPerRound && (await goOn())) {
    const old = await listOldMails(ctx.db, ctx.now() - mailsKeptMs, forgottenPerRound)
    for (const mail of old) await transact(ctx, mail.accountId, ({ db }) => deleteMail(db, mail))
    found = old.length
  }
}

/** Returns false if it is pointless to continue with the next mail. */
async function sendOne(ctx: Context, { from }: MailConfig, send: SendMail, due: DueMail): Promise<boolean> {
  const mail = await transact(ctx, due.accountId, ({ db }) => claimMail(db, due, waitAfter, ctx.now()))
  if (mail === undefined) return true
  if (mail.expiresAt !== null && mail.expiresAt <= ctx.now()) {
    await end(ctx, mail, 'expired before it could be sent')
    return true
  }
  const body = readContent(ctx, mail)
  if (body === undefined) {
    await takeFailure(ctx, mail, new SendFailure('later', 'was sealed with another secret'))
    return true
  }
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const messageId = `${sha256(`${mail.accountId}/${mail.id}/${mail.createdAt}`).slice(0, 32)}@${domain}`
  try {
    await send({ ...body, to: mail.recipient, messageId, date: new Date(ctx.now()) })
    await transact(ctx, mail.accountId, ({ db }) => endMail(db, mail, { sentAt: ctx.now() }))
    return true
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error
    await takeFailure(ctx, mail, error)
    return error.kind !== 'server'
  }
}

const waitAfter = (tries: number) => retryWaitsMs[tries - 1] ?? dayMs

/**
 * Undefined if it was sealed with another secret: perhaps by a process that has the next one already, while the secret
 * is being changed.
 */
function readContent(ctx: Context, { content }: StoredMail): z.infer<typeof Body> | undefined {
  const opened = content === null ? undefined : ctx.secretBox.open(content)
  return opened === undefined ? undefined : Body.parse(JSON.parse(opened))
}

async function takeFailure(ctx: Context, mail: StoredMail, { kind, message }: SendFailure): Promise<void> {
  if (kind === 'mail' || mail.tries > retryWaitsMs.length) return end(ctx, mail, message)
  deliveryFailed.publish({ what: 'mail', outcome: 'retried' })
  ctx.log.warn(
    { accountId: mail.accountId, mail: mail.id, tries: mail.tries, reason: message },
    'a mail was not sent; trying again',
  )
  await transact(ctx, mail.accountId, ({ db }) => noteFailure(db, mail, message))
}

async function end(ctx: Context, mail: StoredMail, failure: string): Promise<void> {
  deliveryFailed.publish({ what: 'mail', outcome: 'given_up' })
  ctx.log.error(
    { accountId: mail.accountId, mail: mail.id, tries: mail.tries, reason: failure },
    'a mail was given up',
  )
  await transact(ctx, mail.accountId, ({ db }) => endMail(db, mail, { failure }))
}
