import { AppError } from '../../../ground/errors/app-error.ts'
import type { Context } from '../../../tenancy/context.ts'
import { noticesWithDispute } from '../dispute-notice.ts'
import { toDollars } from '../format.ts'
import { listInvoiceRows, type StoredInvoice, saveInvoice } from '../invoices.repo.ts'
import { type InvoiceMarks, readMarks } from '../ledger/invoice-marks.ts'
import { listAllEntries } from '../ledger/ledger.repo.ts'
import { balanceOf } from '../ledger/ledger.rules.ts'
import { postFacts } from '../ledger/post-facts.ts'
import { inAccount } from '../settle.ts'
import type { StoredSubscription } from '../subscriptions.repo.ts'
import { payOpenInvoice } from './subscription-steps.ts'

const conflict = (message: string) => new AppError('billing_conflict', message)

/** The operator's acts on an invoice of the sandbox. `amount` is in cents; undefined means all that is left. */
export type Correction = { number: string; amount: number | undefined }

/** Pays an invoice back. Returns the amount. Throws `invoice_not_found`, `billing_conflict`. */
export async function refundInvoice(
  ctx: Context,
  accountId: number,
  { number, amount }: Correction,
): Promise<number> {
  let refunded = 0
  await inAccount(ctx, accountId, async (inner, subscription) => {
    const { invoice, left } = await findPaid(inner, accountId, number)
    refunded = within(left, amount)
    await postFacts(inner, accountId, {
      refunds: [{ ...moneyOf(inner, invoice, 're', refunded), failedAt: null }],
    })
    return subscription
  })
  return refunded
}

/**
 * Takes an amount off an invoice: off what is due while it is open, else as credit for later invoices. Returns the
 * amount. Throws `invoice_not_found`, `billing_conflict`.
 */
export async function creditInvoice(
  ctx: Context,
  accountId: number,
  { number, amount }: Correction,
): Promise<number> {
  let credited = 0
  await inAccount(ctx, accountId, async (inner, subscription) => {
    const open = await findInvoice(inner, accountId, number)
    if (open.status === 'open') {
      credited = within(open.amount, amount)
      return creditOpen(inner, subscription, open, credited)
    }
    const { invoice, left } = await findPaid(inner, accountId, number)
    credited = within(left, amount)
    const credit = { ...moneyOf(inner, invoice, 'cn', credited), reason: 'credit_note' as const }
    await postFacts(inner, accountId, { credit: [credit] })
    return { ...subscription, credit: subscription.credit + credited }
  })
  return credited
}

/** An invoice of which nothing is left is paid. */
async function creditOpen(
  ctx: Context,
  subscription: StoredSubscription,
  invoice: StoredInvoice,
  amount: number,
): Promise<StoredSubscription> {
  const { accountId, pendingUpgrade } = subscription
  if (pendingUpgrade?.invoiceId === invoice.id) {
    throw conflict('This invoice waits for the confirmation of an upgrade. Nothing was changed.')
  }
  const note = { ...moneyOf(ctx, invoice, 'cn', amount), offDue: amount, refunded: 0, paidOutside: 0 }
  await postFacts(ctx, accountId, { creditNotes: [{ ...note, tax: 0, voidedAt: null }] })
  const left = invoice.amount - amount
  await saveInvoice(ctx.db, accountId, { ...invoice, amount: left })
  return (left === 0 ? await payOpenInvoice(ctx, subscription, ctx.now()) : undefined) ?? { ...subscription }
}

/** Ends the dispute of an invoice's payment. Throws `invoice_not_found`, `billing_conflict`. */
export async function closeDispute(
  ctx: Context,
  accountId: number,
  { number, won }: { number: string; won: boolean },
): Promise<void> {
  await inAccount(ctx, accountId, async (inner, subscription) => {
    const { id } = await findInvoice(inner, accountId, number)
    const entries = await listAllEntries(inner.db, accountId)
    const own = entries.filter(({ invoiceId }) => invoiceId === id)
    const opened = own.findLast(({ kind }) => kind === 'disputed')
    if (opened === undefined || balanceOf(own, 'disputes') === 0) {
      throw conflict('No payment of this invoice is disputed.')
    }
    const { source, at, amount, currency } = opened
    const outcome = { won, at: inner.now() }
    const dispute = { id: source, at, amount, currency, invoiceId: id, outcome, fees: [] }
    const { entries: after } = await postFacts(inner, accountId, { disputes: [dispute] })
    const isDisputed = balanceOf(after, 'disputes') !== 0
    return { ...subscription, notices: noticesWithDispute(subscription.notices, isDisputed) }
  })
}

async function findInvoice({ db }: Context, accountId: number, number: string): Promise<StoredInvoice> {
  const invoices = await listInvoiceRows(db, accountId)
  const found = invoices.find((invoice) => invoice.number === number)
  if (found === undefined) throw new AppError('invoice_not_found', `There is no invoice ${number}.`)
  return found
}

/** A paid invoice, and how much of it was neither paid back, credited nor taken by the bank. */
async function findPaid(
  ctx: Context,
  accountId: number,
  number: string,
): Promise<{ invoice: StoredInvoice; left: number }> {
  const invoice = await findInvoice(ctx, accountId, number)
  if (invoice.status !== 'paid') throw conflict(`The invoice ${number} is ${invoice.status}, not paid.`)
  const { refunded, credited, dispute } = (await readMarks(ctx, accountId, [invoice.id]))(invoice.id)
  if (dispute === 'open' || dispute === 'lost') throw conflict('The bank has taken this payment back.')
  return { invoice, left: invoice.amount - refunded - creditedAfterPayment(invoice, credited) }
}

/** What was credited while the invoice was open is not in its amount any more. */
function creditedAfterPayment(invoice: StoredInvoice, credited: InvoiceMarks['credited']): number {
  return credited - takenOff(invoice)
}

/** How much credit notes took off an invoice before it was paid. */
export function takenOff({ lines, tax, amount, status }: StoredInvoice): number {
  const total = lines.reduce((sum, line) => sum + line.amount, tax)
  return status === 'void' ? 0 : Math.max(total - amount, 0)
}

/** Throws `billing_conflict` for more than there is. */
function within(left: number, amount = left): number {
  if (amount > 0 && amount <= left) return amount
  throw conflict(
    left > 0 ? `At most ${toDollars(left)} is left of this invoice.` : 'Nothing is left of this invoice.',
  )
}

function moneyOf(
  { newId, now }: Context,
  { id, currency }: StoredInvoice,
  prefix: 're' | 'cn',
  amount: number,
) {
  return { id: newId(prefix), at: now(), amount, currency, invoiceId: id }
}
