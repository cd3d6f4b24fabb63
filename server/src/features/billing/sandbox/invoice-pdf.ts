import PDFDocument from 'pdfkit'
import type { StoredInvoice } from '../invoices.repo.ts'
import { paymentNote } from './invoice-page.ts'
import { toDate, toDollars } from './page.ts'

const left = 72
const width = 451

/** The invoice on one A4 page, or more when it has many lines; ready to be sent as a stream. */
export function invoicePdf(invoice: StoredInvoice): PDFKit.PDFDocument {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: left,
    info: { Title: `Invoice ${invoice.number}`, CreationDate: new Date(invoice.createdAt) },
  })
  pdf.fontSize(10).fillColor('#7a4d00').text('Test mode: no real money moved')
  pdf.moveDown().fontSize(20).fillColor('black').text(`Invoice ${invoice.number}`)
  pdf
    .fontSize(11)
    .text(`Loci, ${toDate(invoice.createdAt)}`)
    .text(paymentNote(invoice))
    .moveDown(2)
  for (const line of invoice.lines) writeRow(pdf, line.description, toDollars(line.amount))
  pdf.font('Helvetica-Bold')
  writeRow(pdf, 'Total', toDollars(invoice.amount))
  pdf.end()
  return pdf
}

function writeRow(pdf: PDFKit.PDFDocument, description: string, amount: string): void {
  pdf.text(description, left, pdf.y, { width: width - 100, continued: false })
  pdf.moveUp().text(amount, left, pdf.y, { width, align: 'right' }).moveDown(0.5)
}
