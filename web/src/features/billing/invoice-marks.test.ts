import type { Invoice } from '@loci/contract/billing'
import { expect, test } from 'vitest'
import { marksOf } from './invoice-marks.ts'

const invoice: Invoice = {
  ...{ id: 'in_1', number: 'A-1', created: 0, currency: 'usd', amount: 2_000, credit: 0 },
  ...{ refunded: 0, credited: 0, dispute: null, status: 'paid' },
  ...{ hostedInvoiceUrl: null, invoicePdf: null },
}
const textsOf = (part: Partial<Invoice>) => marksOf({ ...invoice, ...part }).map(({ text }) => text)

test('marks say what became of the money', () => {
  expect(textsOf({})).toEqual([])
  expect(textsOf({ refunded: 2_000 })).toEqual(['refunded'])
  expect(textsOf({ refunded: 500 })).toEqual(['$5.00 refunded'])
  expect(textsOf({ refunded: 500, amount: 1_000, currency: 'jpy' })).toEqual(['¥500 refunded'])
  expect(textsOf({ credited: 700 })).toEqual(['$7.00 credit note'])
  expect(textsOf({ dispute: 'open', refunded: 100 })).toEqual(['disputed', '$1.00 refunded'])
  expect(textsOf({ dispute: 'lost' })).toEqual(['dispute lost'])
  expect(textsOf({ dispute: 'won' })).toEqual(['dispute won'])
})
