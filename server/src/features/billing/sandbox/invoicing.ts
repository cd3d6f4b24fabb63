import { brandOf } from '@loci/contract/billing'
import type { Context } from '../../../context.ts'
import { randomToken } from '../../../lib/secrets.ts'
import { type InvoiceLine, settleLines } from '../billing.rules.ts'
import { insertItems, type StoredInvoice, saveInvoice, takeItems } from '../invoices.repo.ts'
import { listCards } from '../payment-methods.repo.ts'
import { getPublicId, type StoredSubscription } from '../subscriptions.repo.ts'
import { isExpired } from './test-cards.ts'

export const invoicesPath = '/sandbox/invoices'

/** How a payment went; `reason` is fit to show to a person. */
export type Charge = { paid: true; paidWith: string | null } | { paid: false; reason: string }

/** Charges the default card. No money moves: the test card says what happens. */
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

/** Makes an invoice of these lines and of all that waited for it, and charges it. Credit left over waits for the next. */
export async function makeInvoice(
  ctx: Context,
  { accountId, invoicesMade }: StoredSubscription,
  newLines: readonly InvoiceLine[],
  at: number,
): Promise<{ invoice: StoredInvoice; charge: Charge; invoicesMade: number }> {
  const lines = [...newLines, ...(await takeItems(ctx.db, accountId))]
  const { amount, credit } = settleLines(lines)
  if (credit > 0) {
    lines.push({ description: 'Credit kept for the next invoice', amount: credit })
    const id = ctx.newId('itm')
    await insertItems(ctx.db, accountId, [{ id, description: 'Credit from before', amount: -credit }])
  }
  const charge = await chargeCard(ctx, accountId, amount, at)
  const hostedUrl = `${invoicesPath}/${randomToken()}`
  const count = invoicesMade + 1
  const publicId = await getPublicId(ctx.db, accountId)
  const invoice: StoredInvoice = {
    id: ctx.newId('inv'),
    number: `TEST-${publicId.slice(-6).toUpperCase()}-${String(count).padStart(4, '0')}`,
    createdAt: at,
    amount,
    status: charge.paid ? 'paid' : 'open',
    hostedUrl,
    pdfUrl: `${hostedUrl}/pdf`,
    lines,
    paidWith: charge.paid ? charge.paidWith : null,
  }
  await saveInvoice(ctx.db, accountId, invoice)
  return { invoice, charge, invoicesMade: count }
}
