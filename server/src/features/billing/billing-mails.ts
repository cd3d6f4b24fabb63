import { formatMoney } from '@loci/contract/money'
import { isAnnualPlanId } from '@loci/contract/plans'
import { type MailContent, ownersFootnote } from '../mails/mail-content.ts'
import { endOfTries, nameOfPlan, priceOf } from './billing.rules.ts'
import type { BillingNews } from './billing-news.ts'
import { toDate, toDollars } from './format.ts'
import type { StoredInvoice } from './invoices.repo.ts'

/** The server's address, and whether this is test mode. */
export type MailPlace = { address: string; testMode: boolean }

const kept =
  'Nothing that is stored is deleted. It can still be read, changed and exported, but nothing can be added beyond the limits of Free.'

/** The mail for a piece of billing news. */
export function toMail(news: BillingNews, place: MailPlace): MailContent {
  if (news.kind === 'receipt') return receipt(news.invoice, place)
  return news.kind === 'payment_failed' ? paymentFailed(news, place) : planEnded(news, place)
}

function receipt(invoice: StoredInvoice, place: MailPlace): MailContent {
  const { number, amount, currency, lines, paidWith, paidAt } = invoice
  const money = (value: number) => formatMoney(value, currency)
  return {
    subject: `Receipt for invoice ${number}: ${money(amount)}`,
    paragraphs: ['Thank you. Your payment was received.', ...noteOf(place)],
    facts: [
      ['Invoice', number],
      ...(paidAt === null ? [] : [['Date', `${toDate(paidAt)} (UTC)`] as const]),
      ...lines.map((line) => [line.description, money(line.amount)] as const),
      ['Amount paid', money(amount)],
      ...(paidWith === null ? [] : [['Paid with', paidWith] as const]),
    ],
    action: { label: 'View invoice', url: addressOf(invoice, place) },
    footnote: ownersFootnote(place.address),
  }
}

function paymentFailed(
  { invoice, subscription }: Extract<BillingNews, { kind: 'payment_failed' }>,
  place: MailPlace,
): MailContent {
  const { plan, failedPayments, nextTryAt, subscriptionId } = subscription
  const name = nameOfPlan(plan)
  const due = formatMoney(invoice.amount, invoice.currency)
  // Stripe ends subscriptions by its own settings.
  const endsAt =
    nextTryAt === null || subscriptionId !== null ? undefined : endOfTries(failedPayments, nextTryAt)
  return {
    subject: `Payment failed: ${due} for ${name}`,
    paragraphs: [
      `The payment of ${due} for ${name} failed.`,
      nextTryAt === null
        ? 'It will not be retried automatically.'
        : `It will be retried on ${toDate(nextTryAt)} (UTC). Your plan does not change until then.`,
      endsAt === undefined
        ? `Unless it is paid, the account goes back to Free. ${kept}`
        : `If it is not paid by ${toDate(endsAt)} (UTC), the account goes back to Free. ${kept}`,
      'If you set a new default payment method, it is charged at once.',
      ...noteOf(place),
    ],
    facts: [
      ['Invoice', invoice.number],
      ['Amount due', toDollars(invoice.amount)],
    ],
    action: { label: 'Update payment method', url: `${place.address}/billing` },
    footnote: ownersFootnote(place.address),
  }
}

function planEnded(
  { plan, reason }: Extract<BillingNews, { kind: 'plan_ended' }>,
  place: MailPlace,
): MailContent {
  const name = nameOfPlan(plan)
  const why =
    reason === 'trial_ended'
      ? `Your trial of ${name} ended without a payment method, so the account is on Free now.`
      : reason === 'disputed'
        ? `A payment for ${name} was disputed at the bank, so it ended and the account is on Free now.`
        : `${name} could not be paid, so it ended and the account is on Free now.`
  return {
    subject: `${name} has ended`,
    paragraphs: [why, kept, ...noteOf(place)],
    action: { label: 'Choose a plan', url: `${place.address}/billing` },
    footnote: ownersFootnote(place.address),
  }
}

export type EndingTrial = { plan: string; trialEnd: number; card: string | undefined }

/** Sent some days before a trial ends. */
export function trialEndingMail({ plan, trialEnd, card }: EndingTrial, place: MailPlace): MailContent {
  const name = nameOfPlan(plan)
  const price = `${toDollars(priceOf(plan))} a ${isAnnualPlanId(plan) ? 'year' : 'month'}`
  return {
    subject: `Your trial of ${name} ends on ${toDate(trialEnd)}`,
    paragraphs: [
      `Your free trial of ${name} ends on ${toDate(trialEnd)} (UTC).`,
      card === undefined
        ? `There is no payment method on file. To keep ${name} for ${price}, add one before then. Otherwise the account goes back to Free. ${kept}`
        : `From then on ${card} is charged ${price}. To keep that from happening, cancel before then.`,
      ...noteOf(place),
    ],
    action: {
      label: card === undefined ? 'Add a payment method' : 'Manage billing',
      url: `${place.address}/billing`,
    },
    footnote: ownersFootnote(place.address),
  }
}

export const noteOf = ({ testMode }: MailPlace) =>
  testMode ? ['This server is in test mode: no real money moves.'] : []

/** Our own invoices have paths. */
function addressOf({ hostedUrl }: StoredInvoice, { address }: MailPlace): string {
  return hostedUrl === null
    ? `${address}/billing`
    : hostedUrl.startsWith('/')
      ? address + hostedUrl
      : hostedUrl
}
