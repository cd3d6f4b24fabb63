import type { InvoiceLine } from './billing.rules.ts'
import type { StoredInvoice } from './invoices.repo.ts'

/** The sums below the lines of an invoice, cents. */
export type InvoiceSums = {
  subtotal: number
  tax: number
  /** Negative: a credit. */
  total: number
  /** Credit that was used or kept for later, each with its sign. */
  balance: InvoiceLine[]
  /** What was or is to be paid; nothing of a void invoice. */
  due: number
}

type Summed = Pick<StoredInvoice, 'lines' | 'tax' | 'amount' | 'status'>

/** Adds up an invoice. Lines of `kind: 'balance'` move credit and do not count towards the total. */
export function sumsOf({ lines, tax, amount, status }: Summed): InvoiceSums {
  const balance = lines.filter((line) => line.kind === 'balance')
  const sold = lines.filter((line) => line.kind !== 'balance')
  const subtotal = sold.reduce((sum, line) => sum + line.amount, 0)
  return { subtotal, tax, total: subtotal + tax, balance, due: status === 'void' ? 0 : Math.max(amount, 0) }
}

/** How far the invoice total is below zero, cents. Without lines, as Stripe's are stored, the total is its amount. */
export function creditOf(invoice: Summed): number {
  const total = invoice.lines.length === 0 ? invoice.amount : sumsOf(invoice).total
  return total < 0 ? 0 - total : 0
}
