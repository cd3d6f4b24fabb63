import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyMixture, anyText, lines } from '../../../test/texts.ts'
import { toAskedWords } from '../analyse/asked-words.ts'
import { rankedPassages, readAskedPassage } from '../analyse/index-text.ts'
import type { ReadPassage } from '../analyse/read-passages.ts'
import { countWordsOf } from './count-words.ts'

const metadata = { source: 'letter of 4 May' }

/** What is computed from passages for a question with these terms. */
function count(passages: readonly ReadPassage[], terms: readonly string[]) {
  const counter = countWordsOf(
    terms.map((term) => ({ own: term, surface: term, terms: new Map([[term, 1]]), count: 1, rarity: 1 })),
  )
  return passages.map(({ terms: text, length }, id) => {
    const passage = {
      id,
      observationId: 1,
      entityId: 1,
      position: id,
      createdAt: 0,
      times: () => [],
      length,
      pieces: 1,
      terms: text,
    }
    const { frequencies, pairs, asks, isFirstPerson } = counter.inPassage(passage)
    return { length, frequencies, pairs, asks, isFirstPerson }
  })
}

/** Asks for some words of a text. Returns whether it was read only for the question. */
function expectSame(text: string): boolean {
  const passages = rankedPassages(text, metadata)
  const told = passages.flatMap(({ terms }) => terms.split(' ').map((term) => term.replace(/^[+=](?=.)/, '')))
  const words = told.filter((term) => !/^(?:[\d:]|tel:)/.test(term))
  const some = [told, words, words.filter((_, i) => i % 3 === 0), words.filter((_, i) => i % 17 === 0)]
  const isRead = some.map((asks) => {
    const terms = ['harbour', ...asks]
    const asked = toAskedWords(terms)
    const passage = readAskedPassage(text, metadata, asked)
    if (passage !== undefined) expect(count([passage], terms), text).toEqual(count(passages, terms))
    return passage !== undefined
  })
  return isRead.includes(true)
}

const english =
  'Ada Lovelace told me of the harbour in Lisbon, and that Bob went there twice? I am not sure he knew it: my_file.ts ' +
  "was NOT where they had left it last May. Met with O'Brien's team; flying, crying and dying for news of C++ at 14:30"

test('a text read for a question yields the same as one read in full', () => {
  expect(expectSame(english)).toBe(true)
  for (const line of lines) expectSame(line)
  const anyEnglish = fc.array(fc.constantFrom(...english.split(' ')), { maxLength: 110 })
  fc.assert(
    fc.property(anyEnglish, (words) => void expectSame(words.join(' '))),
    { numRuns: 2_000 },
  )
})

test('the same holds for texts composed of others, and for any text', () => {
  fc.assert(
    fc.property(anyMixture(20), (text) => void expectSame(text)),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(anyText, (text) => void expectSame(text)),
    { numRuns: 1_000 },
  )
})

test('most words that are not asked for are not read', () => {
  const text = 'Ada showed us the old harbour of Porto again in spring, bright and quiet.'
  const { terms = '', length } = readAskedPassage(text, undefined, toAskedWords(['harbour'])) ?? {}
  expect(length).toBe(8)
  // Only a few other terms hash to a word that must be read.
  expect(terms.split(' ').filter((term) => !term.startsWith('-')).length).toBeLessThan(5)
  expect(terms).toContain('harbour')
})

test('texts in other languages and long ones are read in full', () => {
  const asked = toAskedWords(['harbour'])
  expect(readAskedPassage('Die Schiffe sind noch nicht im Hafen', undefined, asked)).toBeUndefined()
  expect(readAskedPassage('old harbour '.repeat(60), undefined, asked)).toBeUndefined()
})
