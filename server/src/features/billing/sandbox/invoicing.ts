import { brandOf } from '@loci/contract/billing'
import type { Context } from '../../../context.ts'
import { randomToken } from '../../../lib/secrets.ts'
import { draftInvoice, type InvoiceLine } from '../billing.rules.ts'
import { readParties } from '../invoice-parties.ts'
import { type StoredInvoice, saveInvoice, takeItems } from '../invoices.repo.ts'
import { listCards } from '../payment-methods.repo.ts'
import { getPublicId, type StoredSubscription } from '../subscriptions.repo.ts'
import { declined, isExpired } from './test-cards.ts'

export const invoicesPath = '/sandbox/invoices'

/** The outcome of a payment; `reason` can be shown to a person. */
export type Charge = { paid: true; paidWith: string | null } | { paid: false; reason: string }

/** Charges the default card. No money moves: the test card determines the outcome. */
export async function chargeCard(
  ctx: Context,
  accountId: number,
  amount: number,
  at: number,
): Promise<Charge> {
  if (amount === 0) return { paid: true, paidWith: null }
  const card = (await listCards(ctx.db, accountId)).find((candidate) => candidate.isDefault)
  if (card === undefined) return { paid: false, reason: 'Add a payment method first.' }
  if (isExpired(card, at)) return { paid: false, reason: 'Your card has expired.' }
  if (!card.pays) return { paid: false, reason: 'Your card was declined.' }
  return { paid: true, paidWith: `${brandOf(card)} ending in ${card.last4}` }
}

/**
 * Makes an invoice of these lines and all pending items, sets it off against the account's credit and charges the rest.
 * Returns the subscription afterwards and the outcome of the payment.
 */
export async function makeInvoice<T extends StoredSubscription>(
  ctx: Context,
  subscription: T,
  newLines: readonly InvoiceLine[],
  at: number,
): Promise<{ subscription: T; charge: Charge; invoice: StoredInvoice }> {
  const { accountId, invoicesMade } = subscription
  const waiting = await takeItems(ctx.db, accountId)
  const { lines, due, credit } = draftInvoice([...newLines, ...waiting], subscription.credit)
  const charge = await chargeCard(ctx, accountId, due, at)
  const hostedUrl = `${invoicesPath}/${randomToken()}`
  const publicId = await getPublicId(ctx.db, accountId)
  const invoice: StoredInvoice = {
    id: ctx.newId('inv'),
    number: `TEST-${publicId.slice(-6).toUpperCase()}-${String(invoicesMade + 1).padStart(4, '0')}`,
    createdAt: at,
    amount: due,
    status: charge.paid ? 'paid' : 'open',
    hostedUrl,
    pdfUrl: `${hostedUrl}/pdf`,
    lines,
    paidWith: charge.paid ? charge.paidWith : null,
    tax: 0,
    dueAt: at,
    paidAt: charge.paid ? at : null,
    parties: await readParties(ctx, accountId),
  }
  await saveInvoice(ctx.db, accountId, invoice)
  return { subscription: { ...subscription, credit, invoicesMade: invoicesMade + 1 }, charge, invoice }
}

/** As {@link makeInvoice}; throws `card_declined` unless it is paid, which rolls back the current transaction. */
export async function chargeInvoice<T extends StoredSubscription>(
  ctx: Context,
  subscription: T,
  lines: readonly InvoiceLine[],
  at: number,
): Promise<T> {
  const made = await makeInvoice(ctx, subscription, lines, at)
  if (!made.charge.paid) throw declined('payment_failed', made.charge.reason)
  return made.subscription
}
