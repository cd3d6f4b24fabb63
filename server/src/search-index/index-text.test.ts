import { expect, test } from 'vitest'
import { analyse } from './analyser.ts'
import { indexText, joinTerms } from './index-text.ts'
import { toLettersTerms } from './name-letters.ts'
import { searchedTerms, toAliasTerms, toEntityTerms } from './passages.ts'

const expectSearched = (terms: readonly string[]) =>
  expect(joinTerms(terms)).toEqual({ terms: terms.join(' '), searched: searchedTerms(terms).join(' ') })

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

test('a text without words has one passage, which is posted under the metadata only', () => {
  expect(indexText('🚀')).toEqual({ passages: [{ terms: '', searched: '', length: 0 }], words: [] })
  const [passage] = indexText('🚀', { source: 'letter' }).passages
  expect(passage).toEqual({ terms: '=sourc =letter', searched: 'sourc letter', length: 0 })
})
