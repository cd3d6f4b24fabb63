import { formatMoney } from '@loci/contract/money'
import { dayMs } from '../../ground/lib/time.ts'
import { findOwnerEmail } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { type MailContent, ownersFootnote } from '../mails/mail-content.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { type MailPlace, noteOf } from './billing-mails.ts'
import { toDate } from './format.ts'
import { listNumbers } from './invoices.repo.ts'
import type { StoredEntry } from './ledger/ledger.rules.ts'
import { getPublicId } from './subscriptions.repo.ts'
import { mailPlaceOf } from './tell-owner.ts'

/** As for other news of billing: older ones turn up in the first sync of an old customer. */
const newsAgeMaxMs = 3 * dayMs

/** Tells the owner, the operator and the log of disputes that were just entered, in the current transaction. */
export async function tellOfDisputes(
  ctx: Context,
  accountId: number,
  added: readonly StoredEntry[],
): Promise<void> {
  const opened = added.filter(
    ({ kind, source, id }) => kind === 'disputed' && id.startsWith(`${source}:disputed`),
  )
  if (opened.length === 0) return
  const numbers = await listNumbers(ctx.db, accountId)
  for (const entry of opened) {
    const number = numbers.get(entry.invoiceId ?? '')
    ctx.log.error({ accountId, invoice: number, dispute: entry.source }, 'a payment is disputed at the bank')
    if (entry.at > ctx.now() - newsAgeMaxMs) await mail(ctx, accountId, { ...entry, number })
  }
}

type Disputed = StoredEntry & { number: string | undefined }

async function mail(ctx: Context, accountId: number, dispute: Disputed): Promise<void> {
  const owner = await findOwnerEmail(ctx.db, accountId)
  const place = mailPlaceOf(ctx)
  const id = `disputed-${dispute.source}`
  if (owner !== undefined) {
    await queueMail(ctx, { accountId, id, to: owner, content: toOwner(dispute, place, endsPlan(ctx)) })
  }
  const { operatorEmail } = ctx.config
  if (operatorEmail === undefined) return
  const account = await getPublicId(ctx.db, accountId)
  const content = toOperator(dispute, { place, account, owner: owner ?? '-', endsPlan: endsPlan(ctx) })
  await queueMail(ctx, { accountId, id: `${id}-operator`, to: operatorEmail, content })
}

const endsPlan = ({ config }: Context) => config.disputeEndsPlan

function factsOf({ number, amount, currency, at }: Disputed) {
  return [
    ...(number === undefined ? [] : [['Invoice', number] as const]),
    ['Amount', formatMoney(amount, currency)] as const,
    ['Disputed on', `${toDate(at)} (UTC)`] as const,
  ]
}

function toOwner(dispute: Disputed, place: MailPlace, ends: boolean): MailContent {
  const money = formatMoney(dispute.amount, dispute.currency)
  return {
    subject: `A payment of ${money} is disputed`,
    paragraphs: [
      `Your bank tells us that a payment of ${money} is disputed, and has taken the money back until that is decided.`,
      'If you did not mean to dispute it, ask your bank to withdraw the dispute.',
      ...(ends ? ['Your plan has ended for now. Nothing that is stored is deleted.'] : []),
      ...noteOf(place),
    ],
    facts: factsOf(dispute),
    action: { label: 'View billing', url: `${place.address}/billing` },
    footnote: ownersFootnote(place.address),
  }
}

function toOperator(
  dispute: Disputed,
  {
    place,
    account,
    owner,
    endsPlan: ends,
  }: { place: MailPlace; account: string; owner: string; endsPlan: boolean },
): MailContent {
  const answer = place.testMode
    ? 'Decide it with "loci billing close-dispute".'
    : 'Answer it in the dashboard of your payment provider, which says until when.'
  return {
    subject: `Dispute of ${formatMoney(dispute.amount, dispute.currency)} by ${owner}`,
    paragraphs: [
      `A customer disputes a payment at the bank. ${answer}`,
      ends ? 'The plan ends, because LOCI_DISPUTE_ENDS_PLAN is set.' : 'The plan goes on.',
      ...noteOf(place),
    ],
    facts: [['Account', account], ['Owner', owner], ...factsOf(dispute), ['Dispute', dispute.source]],
    footnote: `You get this mail as the operator of ${place.address}.`,
  }
}
