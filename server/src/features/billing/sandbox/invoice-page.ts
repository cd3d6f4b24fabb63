import { type Html, html } from '../../../lib/html.ts'
import type { StoredInvoice } from '../invoices.repo.ts'
import { toDate, toDollars } from './page.ts'

/** `Paid with Visa ending in 4242`. */
export function paymentNote({ status, paidWith }: StoredInvoice): string {
  if (status === 'paid') return paidWith === null ? 'Nothing to pay' : `Paid with ${paidWith}`
  if (status === 'open') return 'Payment is due'
  return status === 'void' ? 'No longer due' : 'Not collected'
}

export function invoiceBody(invoice: StoredInvoice): Html {
  const lines = invoice.lines.map(
    (line) => html`<tr><td>${line.description}</td><td>${toDollars(line.amount)}</td></tr>`,
  )
  return html`
<h1>Invoice ${invoice.number}</h1>
<p class="quiet">Loci</p>
<dl>
<dt>Date</dt><dd>${toDate(invoice.createdAt)}</dd>
<dt>Status</dt><dd>${paymentNote(invoice)}</dd>
</dl>
<table>
<thead><tr><th scope="col">Description</th><th scope="col">Amount</th></tr></thead>
<tbody>${lines}</tbody>
<tfoot><tr><th scope="row">Total</th><td>${toDollars(invoice.amount)}</td></tr></tfoot>
</table>
<p class="foot"><a href="${invoice.pdfUrl ?? ''}">Download as PDF</a></p>`
}
