import { type Html, html } from '../../../ground/lib/html.ts'
import type { InvoiceLine } from '../billing.rules.ts'
import { toDate, toDollars } from '../format.ts'
import type { Party } from '../invoice-parties.ts'
import { toSellerParty } from '../invoice-parties.ts'
import { sumsOf } from '../invoice-sums.ts'
import type { StoredInvoice } from '../invoices.repo.ts'
import { cardFields } from './checkout-page.ts'
import { disputeNote, rowsAfterDue, rowsBeforeDue, type ShownInvoice } from './invoice-corrections.ts'

/** `Paid on January 31, 2030 with Visa ending in 4242`. */
export function paymentNote({ status, paidWith, paidAt, dueAt }: StoredInvoice): string {
  if (status === 'paid') {
    if (paidWith === null) return 'Nothing to pay'
    return `Paid${paidAt === null ? '' : ` on ${toDate(paidAt)}`} with ${paidWith}`
  }
  if (status === 'open') return dueAt === null ? 'Payment is due' : `Payment was due on ${toDate(dueAt)}`
  return status === 'void' ? 'No longer due' : 'Not collected'
}

/** What the figures and dates of an invoice are in. */
export const noteOnUnits = 'Amounts are in US dollars (USD). All dates are in UTC.'

/** Seller and buyer; a server's first invoices do not name them. */
export function partiesOf({ parties }: StoredInvoice): { seller: Party; buyer: Party | undefined } {
  return parties ?? { seller: toSellerParty(undefined), buyer: undefined }
}

/** `January 1 – January 31, 2030`, as calendar days, UTC. */
export function periodOf({ period }: InvoiceLine): string | undefined {
  return period && `${toDate(period.start)} – ${toDate(period.end)}`
}

/** A total below zero is a credit. */
export function totalOf(total: number): { label: string; amount: string } {
  return total < 0
    ? { label: 'Total credit', amount: toDollars(0 - total) }
    : { label: 'Total', amount: toDollars(total) }
}

/** `error` says why the last payment attempt failed. */
export function invoiceBody(invoice: ShownInvoice, error?: string): Html {
  const disputed = disputeNote(invoice)
  const { seller, buyer } = partiesOf(invoice)
  return html`
<h1>Invoice ${invoice.number}</h1>
<p class="quiet">${paymentNote(invoice)}</p>
${disputed === undefined ? html`` : html`<p class="error">${disputed}</p>`}
<div class="pair parties">
${partyBlock('From', seller)}
${buyer === undefined ? html`` : partyBlock('Billed to', buyer)}
</div>
<dl>
<dt>Date of issue</dt><dd>${toDate(invoice.createdAt)}</dd>
${invoice.dueAt === null ? html`` : html`<dt>Date due</dt><dd>${toDate(invoice.dueAt)}</dd>`}
</dl>
${lineTable(invoice)}
${invoice.status === 'open' ? payForm(invoice, error) : html``}
<p class="quiet">${noteOnUnits}</p>
<p class="foot"><a href="${invoice.pdfUrl ?? ''}">Download as PDF</a></p>`
}

function partyBlock(title: string, { name, lines }: Party): Html {
  return html`<div><h2>${title}</h2><p><strong>${name}</strong>${lines.map((line) => html`<br>${line}`)}</p></div>`
}

function lineTable(invoice: ShownInvoice): Html {
  const { subtotal, tax, total, balance, due } = sumsOf(invoice)
  const sold = invoice.lines.filter((line) => line.kind !== 'balance')
  const shown = totalOf(total)
  return html`<table class="lines">
<thead><tr><th scope="col">Description</th><th scope="col">Qty</th><th scope="col">Unit price</th><th scope="col">Amount</th></tr></thead>
<tbody>${sold.map(lineRow)}</tbody>
<tfoot>
${sumRow('Subtotal', toDollars(subtotal))}
${sumRow('Tax', toDollars(tax))}
${sumRow(shown.label, shown.amount, 'total')}
${balance.map((line) => sumRow(line.description, toDollars(line.amount)))}
${rowsBeforeDue(invoice).map(([label, amount]) => sumRow(label, amount))}
${sumRow(invoice.status === 'paid' ? 'Amount paid' : 'Amount due', toDollars(due), 'total')}
${rowsAfterDue(invoice).map(([label, amount]) => sumRow(label, amount))}
</tfoot>
</table>`
}

function lineRow(line: InvoiceLine): Html {
  const period = periodOf(line)
  const when = period === undefined ? html`` : html`<br><span class="quiet">${period}</span>`
  return html`<tr><td>${line.description}${when}</td><td>1</td><td>${toDollars(line.amount)}</td><td>${toDollars(line.amount)}</td></tr>`
}

const sumRow = (label: string, amount: string, name = '') =>
  html`<tr class="${name}"><th scope="row" colspan="3">${label}</th><td>${amount}</td></tr>`

/** Anyone with the address can pay, with their own card. */
function payForm({ amount, hostedUrl }: StoredInvoice, error: string | undefined): Html {
  return html`
<h2 id="pay">Pay this invoice</h2>
${error === undefined ? html`` : html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="${hostedUrl ?? ''}/pay" autocomplete="off">
${cardFields()}
<button name="action" value="card">Pay ${toDollars(amount)}</button>
</form>`
}
