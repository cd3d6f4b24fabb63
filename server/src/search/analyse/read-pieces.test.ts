import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyMixture, anyText, lines } from '../../../test/texts.ts'
import { analyse } from './analyser.ts'
import { readShortText } from './index-text.ts'
import { searchedTerms, toPassages } from './passages.ts'

const wordsMax = 100

/** Compares with the posted terms of the passages of a text. */
function expectSame(text: string): void {
  const read = readShortText(text, wordsMax)
  const { tokens } = analyse(text)
  if (tokens.length > wordsMax) {
    expect(read, text).toBeUndefined()
    return
  }
  const [passage, ...more] = toPassages(text)
  expect(more).toEqual([])
  expect(read?.terms.split(' ').filter(Boolean).sort(), text).toEqual(searchedTerms(passage!.terms).sort())
  expect(read?.length, text).toBe(passage!.length)
  expect(read?.words, text).toEqual(
    tokens.filter(({ isLearnt }) => isLearnt).map(({ surface, term }) => ({ surface, term })),
  )
}

test('a text in any language has the terms that the analyser gives it', () => {
  for (const line of lines) {
    expectSame(line)
    // Now read from the cache.
    expectSame(line)
  }
})

test('so does a text composed of parts of them', () => {
  fc.assert(fc.property(anyMixture(40), expectSame), { numRuns: 1_500 })
})

test('so does any text', () => {
  fc.assert(fc.property(anyText, expectSame), { numRuns: 1_500 })
})

test('a text with more words than a passage is left to others', () => {
  expect(readShortText('word '.repeat(wordsMax), wordsMax)?.length).toBe(wordsMax)
  expect(readShortText('word '.repeat(wordsMax + 1), wordsMax)).toBeUndefined()
})
