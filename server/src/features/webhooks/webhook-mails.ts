import { type DisabledReason, failingDaysMax } from '@loci/contract/webhooks'
import { type MailContent, ownersFootnote } from '../mails/mail-content.ts'

/** What an endpoint is disabled for. */
export type Fault = Extract<DisabledReason, 'failing' | 'gone'>

type Endpoint = { id: string; url: string; description: string }

const missed =
  'Changes made while it is disabled are not sent later. They are in the history (GET /api/changes).'

/** Sent when an endpoint was disabled for what it answered. */
export function disabledMail(
  { id, url, description }: Endpoint,
  reason: Fault,
  address: string,
): MailContent {
  // The rest of a URL can be a secret.
  const { host } = new URL(url)
  const why =
    reason === 'gone'
      ? 'It answered 410 Gone, which means that it accepts no more events.'
      : `Every delivery to it has failed for ${failingDaysMax} days.`
  return {
    subject: `Webhook endpoint at ${host} was disabled`,
    paragraphs: [
      `Loci disabled your webhook endpoint at ${host}. ${why}`,
      `Once it works again, send it a test event and enable it. ${missed}`,
    ],
    facts: description === '' ? [] : [['Endpoint', description]],
    action: { label: 'View deliveries', url: `${address}/webhooks/${id}` },
    footnote: ownersFootnote(address),
  }
}

/** Sent when an account has more endpoints than its plan allows. */
export function overPlanMail(allowed: number, address: string): MailContent {
  const limit = `${allowed === 0 ? 'no' : allowed} webhook endpoint${allowed === 1 ? '' : 's'}`
  return {
    subject: 'Webhook endpoints were disabled',
    paragraphs: [
      `Your plan allows ${limit}, so Loci disabled the newest ones beyond that.`,
      'To enable them again, choose a larger plan or delete others first.',
    ],
    action: { label: 'View webhooks', url: `${address}/webhooks` },
    footnote: ownersFootnote(address),
  }
}
