import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAskedWords } from './asked-words.ts'
import { listIrregularForms } from './english.ts'
import { hashOf } from './find-chunks.ts'
import { stem } from './languages.ts'

const isAsked = (word: string, terms: readonly string[]) =>
  toAskedWords(terms).mayBe(`(${word})`, 1, word.length + 1, hashOf(word))

const endings =
  's es ies ied ed ing ingly edly eed eedly ational ation izer ization alism aliti fulness ousli iveness biliti bli ' +
  'logi lessli li icate iciti ical ness ative able ement sion e l y ying'

const anyWord = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), maxLength: 5 }),
    fc.constantFrom('', ...endings.split(' ')),
  )
  .map((parts) => parts.join(''))
  .filter((word) => word !== '')

test('a word is matched by its stem, however it is written', () => {
  fc.assert(
    fc.property(anyWord, (word) => {
      for (const written of [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)]) {
        expect(isAsked(written, ['unlike', stem(word, 'en')]), written).toBe(true)
      }
    }),
    { numRuns: 5_000 },
  )
  for (const word of ['oing', 'aed', 'using', 'aging', 'crying', 'dying', 'skies']) {
    expect(isAsked(word, [stem(word, 'en')]), word).toBe(true)
  }
})

test('so is an irregular form', () => {
  for (const form of listIrregularForms().keys()) expect(isAsked(form, [stem(form, 'en')]), form).toBe(true)
})

test('other words are not, unless they say something about their text', () => {
  const terms = ['harbour', 'lisbon']
  // A few have the hash of a word that does, others in each process.
  const others =
    'Mountain kettle window orange bottle river sugar garden pencil copper velvet wagon tunnel lemon basket'
  const asked = others.split(' ').filter((word) => isAsked(word, terms))
  expect(asked.length, asked.join(' ')).toBeLessThan(8)
  expect(isAsked('harp', terms)).toBe(true)
  for (const word of ['the', 'Der', 'May', 'octobre', 'I', 'myself'])
    expect(isAsked(word, terms), word).toBe(true)
})
