import { buffer } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ShownInvoice } from './invoice-corrections.ts'
import { invoicePdf } from './invoice-pdf.ts'

const at = Date.parse('2030-01-31T10:00:00Z')

async function streamsFor(name: string, count = 1): Promise<string[]> {
  const invoice: ShownInvoice = {
    marks: { refunded: 0, credited: 0, dispute: null },
    id: 'in_1',
    number: 'A-0001',
    createdAt: at,
    currency: 'usd',
    amount: 2_000,
    tax: 0,
    status: 'paid',
    hostedUrl: null,
    pdfUrl: null,
    lines: Array(count).fill({ description: 'Pro (monthly)', amount: 2_000 }),
    paidWith: 'Visa ending in 4242',
    paidAt: at,
    dueAt: null,
    parties: { seller: { name: 'Loci', lines: ['Zürich'] }, buyer: { name, lines: [name] } },
  }
  const source = (await buffer(invoicePdf(invoice))).toString('latin1')
  const streams = [...source.matchAll(/stream\r?\n(.*?)\nendstream/gs)].map(([, body = '']) => body)
  return streams.flatMap(inflated)
}

const pdfFor = async (name: string) => (await streamsFor(name)).join('\n')

function inflated(body: string): string[] {
  try {
    return [inflateSync(Buffer.from(body, 'latin1')).toString('latin1')]
  } catch {
    return []
  }
}

/** The letters that a reader of the PDF can copy from its embedded fonts. */
function lettersOf(pdf: string): string {
  const maps = [...pdf.matchAll(/beginbfrange(.*?)endbfrange/gs)].map(([, map = '']) => map)
  const codes = maps.flatMap((map) => [...map.matchAll(/<([0-9a-f]{4})>(?= ?[<\]])/g)])
  return codes.map(([, code = '']) => String.fromCodePoint(Number.parseInt(code, 16))).join('')
}

/** `Some letters cannot be shown`, as a standard font writes it. */
const noteStart = Buffer.from('Some').toString('hex')

test.each(['Łódź Żółć', 'Иванов и Щукин', 'Ελληνική Εταιρεία', 'Nguyễn Thị Ánh', 'Dvořák ČR'])(
  'a PDF has the letters of %s',
  async (name) => {
    const pdf = await pdfFor(name)
    const missing = [...new Set(name.replaceAll(' ', ''))].filter(
      (letter) => !lettersOf(pdf).includes(letter),
    )
    expect(missing).toEqual([])
    expect(pdf).not.toContain(noteStart)
  },
)

test('western names need no embedded font; characters without a font are reported', async () => {
  expect(lettersOf(await pdfFor('Müller & Söhne'))).toBe('')
  expect(await pdfFor('株式会社ロキ')).toContain(noteStart)
})

/** The text of each page, which a standard font writes as pieces of hexadecimal between corrections of the spacing. */
const pagesOf = (streams: readonly string[]) =>
  streams.map((stream) => [...stream.matchAll(/\[(.*)\] TJ/g)].map(toText).join('\n')).filter(Boolean)

const toText = ([, pieces = '']: RegExpExecArray) =>
  Buffer.from([...pieces.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => hex).join(''), 'hex')

test('each page of a long invoice has the headings and its number; the sums stay together', async () => {
  for (const count of [14, 15, 16, 17, 18, 19, 20, 21, 22]) {
    const pages = pagesOf(await streamsFor('Alice', count))
    expect(pages.join('\n').match(/Pro \(monthly\)/g)).toHaveLength(count)
    const [withSums, ...others] = pages.filter((page) =>
      /Subtotal|Total|Amount paid|Amounts are in/.test(page),
    )
    expect(withSums).toMatch(/Subtotal.*Tax.*Total.*Amount paid.*Amounts are in US dollars/s)
    expect(others).toEqual([])
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
      if (page.includes('Pro (monthly)')) expect(page).toMatch(/Qty.Unit price.Amount.Description/s)
    }
  }
})
