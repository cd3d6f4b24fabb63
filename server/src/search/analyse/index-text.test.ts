import { expect, test } from 'vitest'
import { analyse } from './analyser.ts'
import { indexText, rankedPassages, toSearched } from './index-text.ts'
import { toLettersTerms } from './name-letters.ts'
import { searchedTerms, toAliasTerms, toEntityTerms } from './passages.ts'

const expectSearched = (terms: readonly string[]) =>
  expect(toSearched(terms)).toBe(searchedTerms(terms).join(' '))

test('terms with a mark are posted without it, wherever they stand', () => {
  const [name, type] = [analyse('checkout-service'), analyse('service')]
  expectSearched(toEntityTerms(name, type, ['eu', '=west']))
  expectSearched(toAliasTerms([analyse('Kasse'), analyse('checkoutService')]))
  expectSearched(toLettersTerms('checkout-service'))
  for (const mark of ['+', '=', '@', '&', '^0.', '~', '%', '#']) {
    expectSearched([`${mark}first`, 'plain'])
    expectSearched(['plain', `${mark}last`])
  }
  expectSearched(['plain', '?'])
  expectSearched(['!'])
})

test('terms without a mark are posted as they are stored', () => {
  for (const terms of [[], ['one'], ['haus', '2024', 'ñandú', '东京', '\u0301a']]) expectSearched(terms)
})

test('a text without words has one passage, posted only under its metadata', () => {
  expect(indexText('🚀')).toEqual({ passages: [{ searched: '', length: 0 }], words: [] })
  const metadata = { source: 'letter' }
  expect(indexText('🚀', metadata).passages).toEqual([{ searched: 'sourc letter', length: 0 }])
  expect(rankedPassages('🚀', metadata)).toEqual([{ terms: '=sourc =letter', length: 0 }])
})

test('a text is ranked by the passages it was posted with', () => {
  for (const text of [
    'Is v2.0.1 out? I think so.',
    '東京は首都です',
    `${'It rained. '.repeat(150)}The end.`,
  ]) {
    const { passages } = indexText(text, { code: 'D1:3' })
    const read = rankedPassages(text, { code: 'D1:3' })
    expect(read.map(({ terms, length }) => ({ searched: toSearched(terms.split(' ')), length }))).toEqual(
      passages,
    )
  }
})
