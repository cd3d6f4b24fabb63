import PDFDocument from 'pdfkit'
import type { InvoiceLine } from '../billing.rules.ts'
import { toDate, toDollars } from '../format.ts'
import type { Party } from '../invoice-parties.ts'
import { sumsOf } from '../invoice-sums.ts'
import type { StoredInvoice } from '../invoices.repo.ts'
import { disputeNote, rowsAfterDue, rowsBeforeDue, type ShownInvoice } from './invoice-corrections.ts'
import { fontFor, isPrintable } from './invoice-fonts.ts'
import { noteOnUnits, partiesOf, paymentNote, periodOf, totalOf } from './invoice-page.ts'

type Pdf = PDFKit.PDFDocument

const left = 56
const width = 483
const descriptionWidth = 265
const columns = { quantity: left + 270, unit: left + 300, amount: left + 400 }
const quiet = '#5f5f6b'
/** Where lines, sums and the note must end; below them is the foot of the page. */
const bottom = 770
const footTop = 794
const sumHeight = 15
const noteHeight = 60

/** The invoice on one A4 page, or more if it has many lines, as a stream ready to send. */
export function invoicePdf(invoice: ShownInvoice): Pdf {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: left,
    lang: 'en',
    displayTitle: true,
    // The foot of a page names the number of pages.
    bufferPages: true,
    info: {
      Title: `Invoice ${invoice.number}`,
      Author: partiesOf(invoice).seller.name,
      CreationDate: new Date(invoice.createdAt),
    },
  })
  pdf.fontSize(10).fillColor('#7a4d00').text('Test mode: no real money moved')
  pdf.moveDown().fontSize(20).fillColor('black').text(`Invoice ${invoice.number}`)
  pdf.moveDown(0.5).fontSize(10)
  writeFact(pdf, 'Date of issue', toDate(invoice.createdAt))
  if (invoice.dueAt !== null) writeFact(pdf, 'Date due', toDate(invoice.dueAt))
  writeFact(pdf, 'Payment', paymentNote(invoice))
  const disputed = disputeNote(invoice)
  if (disputed !== undefined) writeFact(pdf, 'Dispute', disputed)
  writeParties(pdf, invoice)
  writeLines(pdf, invoice)
  writeSums(pdf, invoice)
  pdf
    .font('Helvetica')
    .fontSize(9)
    .fillColor(quiet)
    .text(`${noteOnUnits}${noteOnLetters(invoice)}`, left, pdf.y + 24, { width })
  writeFeet(pdf, invoice)
  pdf.end()
  return pdf
}

function writeFeet(pdf: Pdf, { number }: StoredInvoice): void {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    // Text in the margin would otherwise begin a new page.
    pdf.page.margins.bottom = 0
    pdf.fillColor(quiet).text(`Invoice ${number}`, left, footTop, { width })
    pdf.text(`Page ${page + 1} of ${count}`, left, footTop, { width, align: 'right' })
  }
}

function writeFact(pdf: Pdf, label: string, value: string): void {
  const { y } = pdf
  pdf.fillColor(quiet).text(label, left, y, { width: 90 })
  pdf.fillColor('black').text(value, left + 90, y, { width: width - 90 })
}

function writeParties(pdf: Pdf, invoice: StoredInvoice): void {
  const { seller, buyer } = partiesOf(invoice)
  const top = pdf.y + 20
  writeParty(pdf, 'From', seller, left, top)
  const afterSeller = pdf.y
  if (buyer !== undefined) writeParty(pdf, 'Billed to', buyer, left + width / 2, top)
  pdf.y = Math.max(afterSeller, pdf.y) + 24
}

function writeParty(pdf: Pdf, title: string, { name, lines }: Party, x: number, y: number): void {
  const options = { width: width / 2 - 16 }
  const nameText = name.normalize('NFC')
  pdf.font('Helvetica').fillColor(quiet).text(title, x, y, options)
  pdf.font(fontFor(nameText, true)).fillColor('black').text(nameText, x, pdf.y, options)
  for (const line of lines.map((text) => text.normalize('NFC'))) {
    pdf.font(fontFor(line)).text(line, x, pdf.y, options)
  }
  pdf.font('Helvetica')
}

/** The page is printed by a browser, which has fonts for every script. */
function noteOnLetters(invoice: StoredInvoice): string {
  const { seller, buyer } = partiesOf(invoice)
  const texts = [seller, buyer].flatMap((party) => (party ? [party.name, ...party.lines] : []))
  if (texts.every(isPrintable)) return ''
  return ' Some letters cannot be shown in this file. To have them on paper, print the web page of this invoice.'
}

function writeLines(pdf: Pdf, { lines }: StoredInvoice): void {
  writeHeadings(pdf)
  for (const line of lines) if (line.kind !== 'balance') writeLine(pdf, line)
}

function writeHeadings(pdf: Pdf): void {
  pdf.fillColor(quiet)
  writeCells(pdf, ['Description', 'Qty', 'Unit price', 'Amount'])
  writeRule(pdf)
  pdf.fillColor('black')
}

function writeLine(pdf: Pdf, line: InvoiceLine): void {
  const height = pdf.heightOfString(line.description, { width: descriptionWidth }) + 24
  if (pdf.y + height > bottom) {
    pdf.addPage()
    writeHeadings(pdf)
  }
  const amount = toDollars(line.amount)
  writeCells(pdf, [line.description, '1', amount, amount])
  const period = periodOf(line)
  if (period !== undefined) {
    pdf.fontSize(9).fillColor(quiet).text(period, left, pdf.y, { width: descriptionWidth })
    pdf.fontSize(10).fillColor('black')
  }
  writeRule(pdf)
}

/** Leaves the cursor below the first cell, which can have several lines. */
function writeCells(pdf: Pdf, [first, quantity, unit, amount]: [string, string, string, string]): void {
  const { y } = pdf
  pdf.text(quantity, columns.quantity, y, { width: 30, align: 'right' })
  pdf.text(unit, columns.unit, y, { width: 95, align: 'right' })
  pdf.text(amount, columns.amount, y, { width: width - 400, align: 'right' })
  pdf.text(first, left, y, { width: descriptionWidth })
}

function writeRule(pdf: Pdf): void {
  const y = pdf.y + 5
  pdf
    .moveTo(left, y)
    .lineTo(left + width, y)
    .lineWidth(0.5)
    .strokeColor('#d0d0d8')
    .stroke()
  pdf.y = y + 7
}

/** The sums stay together, with the note below them. */
function writeSums(pdf: Pdf, invoice: ShownInvoice): void {
  const { subtotal, tax, total, balance, due } = sumsOf(invoice)
  const shown = totalOf(total)
  const [before, after] = [rowsBeforeDue(invoice), rowsAfterDue(invoice)]
  if (pdf.y + (balance.length + before.length + after.length + 4) * sumHeight + noteHeight > bottom)
    pdf.addPage()
  pdf.y += 4
  writeSum(pdf, 'Subtotal', toDollars(subtotal))
  writeSum(pdf, 'Tax', toDollars(tax))
  writeSum(pdf, shown.label, shown.amount, true)
  for (const { description, amount } of balance) writeSum(pdf, description, toDollars(amount))
  for (const [label, amount] of before) writeSum(pdf, label, amount)
  writeSum(pdf, invoice.status === 'paid' ? 'Amount paid' : 'Amount due', toDollars(due), true)
  for (const [label, amount] of after) writeSum(pdf, label, amount)
}

function writeSum(pdf: Pdf, label: string, amount: string, isBold = false): void {
  const { y } = pdf
  pdf.font(isBold ? 'Helvetica-Bold' : 'Helvetica')
  pdf.text(amount, columns.amount, y, { width: width - 400, align: 'right' })
  pdf.text(label, columns.quantity - 60, y, { width: 180 })
  pdf.y += 3
}
