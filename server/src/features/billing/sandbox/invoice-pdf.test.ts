import { buffer } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { StoredInvoice } from '../invoices.repo.ts'
import { invoicePdf } from './invoice-pdf.ts'

const at = Date.parse('2030-01-31T10:00:00Z')

async function pdfFor(name: string): Promise<string> {
  const invoice: StoredInvoice = {
    id: 'in_1',
    number: 'A-0001',
    createdAt: at,
    amount: 2_000,
    tax: 0,
    status: 'paid',
    hostedUrl: null,
    pdfUrl: null,
    lines: [{ description: 'Pro (monthly)', amount: 2_000 }],
    paidWith: 'Visa ending in 4242',
    paidAt: at,
    dueAt: null,
    parties: { seller: { name: 'Loci', lines: ['Zürich'] }, buyer: { name, lines: [name] } },
  }
  const source = (await buffer(invoicePdf(invoice))).toString('latin1')
  const streams = [...source.matchAll(/stream\r?\n(.*?)\r?\nendstream/gs)].map(([, body = '']) => body)
  return streams.flatMap(inflated).join('\n')
}

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

test('western names need no embedded font; letters that no font has are told of', async () => {
  expect(lettersOf(await pdfFor('Müller & Söhne'))).toBe('')
  expect(await pdfFor('株式会社ロキ')).toContain(noteStart)
})
