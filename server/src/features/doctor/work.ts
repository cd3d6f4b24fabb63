import { dayMs, hourMs, minuteMs, toIso } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { describeLedger } from '../billing/ledger/check-ledger.ts'
import { describeMissingEvents } from '../billing/stripe/missing-events.ts'
import { verifySmtp } from '../mails/smtp.ts'
import { countFailingWebhooks, countTroubledMails, largestWebhookLag, newestWriteAt } from './doctor.repo.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

/** More changes than a working sender leaves behind for a moment. */
const webhookLagMax = 10_000

export async function examineClock({ db, now }: Context): Promise<Finding> {
  const newestAt = await newestWriteAt(db)
  if (newestAt <= now() + minuteMs) return ok('clock', `It is ${toIso(now())}.`)
  const says = `The newest write is dated ${toIso(newestAt)}, but it is ${toIso(now())}.`
  return failed('clock', says, 'Set the clock of this machine, and keep it right with NTP.')
}

/** Asks the mail server for a connection, and reads what became of the mails. */
export async function examineMail({ config, db, now }: Context): Promise<Finding> {
  const { mail } = config
  if (mail === undefined)
    return ok('mail', 'SMTP_URL is not set: links are shown to people instead of being mailed.')
  try {
    await verifySmtp(mail)
  } catch (error) {
    return failed('mail', `The mail server cannot be used: ${(error as Error).message}`, 'Check SMTP_URL.')
  }
  const times = { dueBefore: now() - hourMs, since: now() - 7 * dayMs }
  const { waiting, givenUp, failure } = await countTroubledMails(db, times)
  if (waiting + givenUp === 0) return ok('mail', 'The mail server accepts us, and no mail waits.')
  const says = `${waiting} mails wait for more than an hour, ${givenUp} were given up within a week (${failure}).`
  return warning('mail', says, 'Ask the operator of the mail server why it refuses them.')
}

export async function examineStripe(ctx: Context): Promise<Finding> {
  if (ctx.config.billing !== 'stripe') return ok('billing', `LOCI_BILLING is ${ctx.config.billing}.`)
  const silence = await describeMissingEvents(ctx)
  if (silence === undefined) return ok('billing', 'Stripe, whose events arrive.')
  return failed('billing', silence, 'Then run "loci billing reconcile".')
}

/** What was compared of the books of accounts, by the server or by "loci ledger check". */
export async function examineBooks(ctx: Context): Promise<Finding> {
  if (ctx.config.billing === 'off') return ok('books', 'Nobody is charged.')
  const { differing, overdueSince } = await describeLedger(ctx)
  if (differing > 0) {
    const says = `The books of ${differing} ${differing === 1 ? 'account differ' : 'accounts differ'} from what their gateway says.`
    return failed('books', says, 'Run "loci ledger check", which names what differs.')
  }
  if (overdueSince === undefined) return ok('books', 'The books add up.')
  const says = `Some books were not compared since ${toIso(overdueSince)}.`
  return warning('books', says, 'Check that a server runs ("loci serve"), and see its log.')
}

export async function examineWebhooks({ db, now }: Context): Promise<Finding> {
  const lag = await largestWebhookLag(db)
  if (lag > webhookLagMax) {
    const cure = 'Check that a server runs ("loci serve"), and its metric loci_job_behind_seconds.'
    return failed('webhooks', `An endpoint waits for ${lag} changes.`, cure)
  }
  const { failing, disabled } = await countFailingWebhooks(db, now() - hourMs)
  const says = `${failing} endpoints fail for more than an hour, ${disabled} are disabled because they failed.`
  if (failing + disabled === 0) return ok('webhooks', says)
  return warning(
    'webhooks',
    says,
    'Their owners see why on the Webhooks page, and were mailed if mail is set up.',
  )
}
