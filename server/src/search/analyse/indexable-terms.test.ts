import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyMixture, anyText, lines } from '../../../test/texts.ts'
import { isIndexable } from '../store/postings-sqlite.ts'
import { indexNames, indexText } from './index-text.ts'

const numbers = ['0,1 and 1600,1024', '12,50 € or 1,5kg', 'Ada [255,0,0]', 'v1,2', '٣,٥']

function expectIndexable(text: string): void {
  const passages = [
    ...indexText(text, { [text.slice(0, 20)]: text }).passages,
    ...indexNames({ name: text, type: text, aliases: [text], metadata: { text } }).passages,
  ]
  const terms = passages.flatMap(({ searched }) => searched.split(' ').filter(Boolean))
  expect(
    terms.filter((term) => !isIndexable(term)),
    text,
  ).toEqual([])
}

test('the index takes every term of a text, a name and metadata as one', () => {
  for (const line of [...lines, ...numbers]) expectIndexable(line)
  fc.assert(fc.property(fc.oneof(anyMixture(20), anyText), expectIndexable), { numRuns: 1_000 })
})

test('a decimal comma is a decimal point, and a comma between thousands is nothing', () => {
  const termsOf = (text: string) => indexText(text).passages.map(({ searched }) => searched)
  expect(termsOf('12,50 and 1,250,000 and 0,1')).toEqual(termsOf('12.50 and 1250000 and 0.1'))
})
