import { brandOf } from '@loci/contract/billing'
import { randomToken } from '../../../ground/lib/secrets.ts'
import type { Context } from '../../../tenancy/context.ts'
import { draftInvoice, type InvoiceLine } from '../billing.rules.ts'
import { readParties } from '../invoice-parties.ts'
import { type StoredInvoice, saveInvoice } from '../invoices.repo.ts'
import { postFacts } from '../ledger/post-facts.ts'
import { listCards } from '../payment-methods.repo.ts'
import { getPublicId, type StoredSubscription } from '../subscriptions.repo.ts'
import { asksEachTime, declined, isExpired } from './test-cards.ts'

export const invoicesPath = '/sandbox/invoices'

/** The outcome of a payment; `reason` can be shown to a person. */
export type Charge =
  | { paid: true; paidWith: string | null }
  | { paid: false; reason: string; wantsConfirmation?: true }

/** Who is at the card: `present` is a person who has answered the bank's question. */
export type Payer = 'absent' | 'present'

/** Charges the default card. No money moves: the test card determines the outcome. */
export async function chargeCard(
  ctx: Context,
  accountId: number,
  amount: number,
  at: number,
  payer: Payer = 'absent',
): Promise<Charge> {
  if (amount === 0) return { paid: true, paidWith: null }
  const card = (await listCards(ctx.db, accountId)).find((candidate) => candidate.isDefault)
  if (card === undefined) return { paid: false, reason: 'Add a payment method first.' }
  if (isExpired(card, at)) return { paid: false, reason: 'Your card has expired.' }
  if (!card.pays) return { paid: false, reason: 'Your card was declined.' }
  if (payer === 'absent' && asksEachTime(card)) {
    return { paid: false, reason: 'Your bank wants you to confirm this payment.', wantsConfirmation: true }
  }
  return { paid: true, paidWith: `${brandOf(card)} ending in ${card.last4}` }
}

/**
 * Makes an invoice of these lines, sets it off against the account's credit and charges the rest.
 * Returns the subscription afterwards and the outcome of the payment.
 */
export async function makeInvoice<T extends StoredSubscription>(
  ctx: Context,
  subscription: T,
  newLines: readonly InvoiceLine[],
  at: number,
  payer?: Payer,
): Promise<{ subscription: T; charge: Charge; invoice: StoredInvoice }> {
  const { accountId, invoicesMade } = subscription
  const { lines, due, credit } = draftInvoice(newLines, subscription.credit)
  const charge = await chargeCard(ctx, accountId, due, at, payer)
  const paid = charge.paid ? { paidWith: charge.paidWith, paidAt: at } : { paidWith: null, paidAt: null }
  const status = charge.paid ? 'paid' : 'open'
  const invoice = {
    ...(await newInvoice(ctx, subscription, at)),
    amount: due,
    lines,
    status,
    ...paid,
  } as const
  await saveInvoice(ctx.db, accountId, invoice)
  if (!charge.paid) await enterFailure(ctx, accountId, invoice, at)
  return { subscription: { ...subscription, credit, invoicesMade: invoicesMade + 1 }, charge, invoice }
}

/** Enters a failed payment of an invoice into the books. */
export async function enterFailure(
  ctx: Context,
  accountId: number,
  { id: invoiceId, amount, currency }: StoredInvoice,
  at: number,
): Promise<void> {
  const payment = { id: ctx.newId('pay'), at, amount, currency, invoiceId, failed: true, fee: null }
  await postFacts(ctx, accountId, { payments: [payment] })
}

/** An open invoice over nothing, with the account's next number. */
export async function newInvoice(
  ctx: Context,
  { accountId, invoicesMade }: StoredSubscription,
  at: number,
): Promise<StoredInvoice> {
  const hostedUrl = `${invoicesPath}/${randomToken()}`
  const publicId = await getPublicId(ctx.db, accountId)
  return {
    id: ctx.newId('inv'),
    number: `TEST-${publicId.slice(-6).toUpperCase()}-${String(invoicesMade + 1).padStart(4, '0')}`,
    createdAt: at,
    currency: 'usd',
    amount: 0,
    status: 'open',
    hostedUrl,
    pdfUrl: `${hostedUrl}/pdf`,
    lines: [],
    paidWith: null,
    tax: 0,
    dueAt: at,
    paidAt: null,
    parties: await readParties(ctx, accountId),
  }
}

/** As {@link makeInvoice}; throws `card_declined` unless it is paid, which rolls back the current transaction. */
export async function chargeInvoice<T extends StoredSubscription>(
  ctx: Context,
  subscription: T,
  lines: readonly InvoiceLine[],
  at: number,
  payer?: Payer,
): Promise<T> {
  const made = await makeInvoice(ctx, subscription, lines, at, payer)
  if (!made.charge.paid) throw declined('payment_failed', made.charge.reason)
  return made.subscription
}
