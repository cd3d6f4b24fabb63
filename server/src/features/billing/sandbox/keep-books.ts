import type { Context } from '../../../tenancy/context.ts'
import { noticesWithDispute } from '../dispute-notice.ts'
import { sumsOf } from '../invoice-sums.ts'
import { listInvoiceRows, type StoredInvoice } from '../invoices.repo.ts'
import type { MoneyFacts, StoredEntry } from '../ledger/ledger.rules.ts'
import { postFacts } from '../ledger/post-facts.ts'
import { recordCheck } from '../ledger/record-check.ts'
import type { StoredSubscription } from '../subscriptions.repo.ts'
import { tellOfDisputes } from '../tell-of-disputes.ts'
import { sandboxControls } from './check-books.ts'
import { isRunning } from './plans.ts'
import { closeOpenInvoice, endSubscription } from './subscription-steps.ts'
import { isDisputed } from './test-cards.ts'

/**
 * Enters what the invoices say into the account's books. A payment with the card that disputes is disputed at once,
 * which can end the plan. Returns the subscription afterwards.
 */
export async function keepBooks(ctx: Context, subscription: StoredSubscription): Promise<StoredSubscription> {
  const { accountId } = subscription
  const invoices = await listInvoiceRows(ctx.db, accountId)
  if (invoices.length === 0) return subscription
  const { entries, added } = await postFacts(ctx, accountId, factsOf(ctx, invoices, subscription))
  await recordCheck(ctx, accountId, { entries, controls: sandboxControls(subscription, invoices) })
  const disputed = added.filter(({ kind, invoiceId }) => {
    const invoice = invoices.find(({ id }) => id === invoiceId)
    return kind === 'paid' && invoice !== undefined && isDisputed(invoice)
  })
  return disputed.length === 0 ? subscription : dispute(ctx, subscription, disputed)
}

async function dispute(
  ctx: Context,
  subscription: StoredSubscription,
  payments: readonly StoredEntry[],
): Promise<StoredSubscription> {
  const { accountId } = subscription
  const disputes = payments.map(({ at, amount, currency, invoiceId }) => {
    return { id: ctx.newId('dp'), at, amount, currency, invoiceId, outcome: null, fees: [] }
  })
  const { added } = await postFacts(ctx, accountId, { disputes })
  await tellOfDisputes(ctx, accountId, added)
  const noticed = { ...subscription, notices: noticesWithDispute(subscription.notices, true) }
  if (!ctx.config.disputeEndsPlan || !isRunning(noticed)) return noticed
  await closeOpenInvoice(ctx, accountId, 'void')
  const ended = await endSubscription(ctx, noticed, payments.at(-1)!.at, 'disputed')
  return keepBooks(ctx, ended)
}

/** What the sandbox's invoices say; it has no other record of its payments. */
function factsOf(
  ctx: Context,
  invoices: readonly StoredInvoice[],
  { pendingUpgrade }: StoredSubscription,
): Partial<MoneyFacts> {
  return {
    invoices: invoices.map((invoice) => toInvoiceFact(invoice, ctx.now())),
    payments: invoices.filter(({ status }) => status === 'paid').map(toPaymentFact),
    credit: invoices.map((invoice) => toCreditFact(invoice, pendingUpgrade?.invoiceId === invoice.id)),
  }
}

function toInvoiceFact(invoice: StoredInvoice, now: number) {
  const { id, createdAt, currency, tax, status } = invoice
  const closed = status === 'void' || status === 'uncollectible' ? { how: status, at: now } : null
  return { id, at: createdAt, currency, total: sumsOf(invoice).total, tax, paidOutside: 0, closed }
}

function toPaymentFact({ id, createdAt, paidAt, amount, currency }: StoredInvoice) {
  return {
    id: paymentOf(id),
    at: paidAt ?? createdAt,
    amount,
    currency,
    invoiceId: id,
    failed: false,
    fee: null,
  }
}

/** A payment that succeeds has no name of its own: each invoice has one at most. */
export const paymentOf = (invoiceId: string) => `${invoiceId}/payment`

/** An upgrade that waits for the bank has not touched the credit. */
function toCreditFact(invoice: StoredInvoice, isPending: boolean) {
  const { id, createdAt, currency } = invoice
  const kept = sumsOf(invoice).balance.reduce((sum, { amount }) => sum + amount, 0)
  return {
    ...{ id: `${id}/credit`, at: createdAt, currency, invoiceId: id, reason: 'invoice' as const },
    amount: isPending ? 0 : kept,
  }
}
