import { transact } from '../../../store/transact.ts'
import { lockAccount } from '../../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import { sumsOf } from '../invoice-sums.ts'
import { listInvoiceRows, type StoredInvoice } from '../invoices.repo.ts'
import type { Control } from '../ledger/controls.ts'
import { listAllEntries } from '../ledger/ledger.repo.ts'
import type { LedgerCheck } from '../ledger/ledger-checks.repo.ts'
import { recordCheck } from '../ledger/record-check.ts'
import { getSubscriptionRow, type StoredSubscription } from '../subscriptions.repo.ts'

/** Compares an account's books with its invoices, and changes neither. */
export async function checkBooks(ctx: Context, accountId: number): Promise<LedgerCheck> {
  return transact(ctx, async (inner) => {
    const { db } = inner
    await lockAccount(db, accountId)
    const subscription = await getSubscriptionRow(db, accountId)
    const invoices = await listInvoiceRows(db, accountId)
    return recordCheck(inner, accountId, {
      entries: await listAllEntries(db, accountId),
      controls: sandboxControls(subscription, invoices),
    })
  })
}

/** What the sandbox's invoices and credit say by themselves. */
export function sandboxControls(
  { credit, pendingUpgrade }: StoredSubscription,
  invoices: readonly StoredInvoice[],
): Control[] {
  return [
    ...invoices.flatMap((invoice) => ofInvoice(invoice, pendingUpgrade?.invoiceId === invoice.id)),
    { account: 'credit', invoiceId: null, name: 'All invoices', currency: 'usd', amount: 0 - credit },
  ]
}

/** The credit of an upgrade that waits for the bank is not used yet. */
function ofInvoice(invoice: StoredInvoice, isPending: boolean): Control[] {
  const { id, number, currency, amount, status } = invoice
  const open = isPending ? sumsOf(invoice).total : amount
  const of = { invoiceId: id, name: number, currency }
  return [
    { ...of, account: 'receivable', amount: status === 'open' ? open : 0 },
    { ...of, account: 'cash', amount: status === 'paid' ? amount : 0, kinds: ['paid'] },
  ]
}
