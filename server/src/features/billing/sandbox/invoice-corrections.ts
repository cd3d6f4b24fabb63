import { toDollars } from '../format.ts'
import type { StoredInvoice } from '../invoices.repo.ts'
import type { InvoiceMarks } from '../ledger/invoice-marks.ts'
import { takenOff } from './correct-invoice.ts'

/** An invoice as its page and PDF show it. */
export type ShownInvoice = StoredInvoice & { marks: InvoiceMarks }

type Row = readonly [label: string, amount: string]

/** What credit notes took off before the amount due. */
export function rowsBeforeDue(invoice: ShownInvoice): Row[] {
  return rowOf('Credit note', takenOff(invoice))
}

/** What was given back of the amount paid. */
export function rowsAfterDue(invoice: ShownInvoice): Row[] {
  const { refunded, credited } = invoice.marks
  return [...rowOf('Refunded', refunded), ...rowOf('Credited', credited - takenOff(invoice))]
}

const rowOf = (label: string, amount: number): Row[] => (amount > 0 ? [[label, toDollars(0 - amount)]] : [])

/** Undefined if the payment was never disputed. */
export function disputeNote({ marks }: ShownInvoice): string | undefined {
  if (marks.dispute === null) return undefined
  return {
    open: 'This payment is disputed at the bank, which holds the money until that is decided.',
    lost: 'This payment was disputed, and the bank returned it to the holder of the card.',
    won: 'This payment was disputed. The bank decided that it stands.',
  }[marks.dispute]
}
