import type { InvoiceLine } from './billing.rules.ts'

/** The sums below the lines of an invoice, cents. */
export type InvoiceSums = {
  subtotal: number
  tax: number
  /** Negative: a credit. */
  total: number
  /** Credit that was used or kept for later, each with its sign. */
  balance: InvoiceLine[]
  due: number
}

/** Adds up an invoice. Lines of `kind: 'balance'` move credit and do not count towards the total. */
export function sumsOf({
  lines,
  tax,
  amount,
}: {
  lines: readonly InvoiceLine[]
  tax: number
  amount: number
}): InvoiceSums {
  const balance = lines.filter((line) => line.kind === 'balance')
  const sold = lines.filter((line) => line.kind !== 'balance')
  const subtotal = sold.reduce((sum, line) => sum + line.amount, 0)
  return { subtotal, tax, total: subtotal + tax, balance, due: Math.max(amount, 0) }
}

/** How far the invoice total is below zero, cents. Without lines, as Stripe's are stored, the total is its amount. */
export function creditOf(invoice: { lines: readonly InvoiceLine[]; tax: number; amount: number }): number {
  const total = invoice.lines.length === 0 ? invoice.amount : sumsOf(invoice).total
  return total < 0 ? 0 - total : 0
}
