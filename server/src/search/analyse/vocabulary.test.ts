import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  areSwapped,
  countShared,
  editDistance,
  gramsOf,
  gramTermsOf,
  isVocabularyWord,
  oneEditFrom,
  toGramTerm,
} from './vocabulary.ts'

test.each([
  ['sardine', ['sardin', 'sardines', 'sandine', 'sardnie', 'asrdine', 'xsardine']],
  ['привет', ['привт', 'приввет', 'превет', 'првиет']],
  ['μουσικη', ['μουσκη', 'μουσιικη', 'μαυσικη', 'μοσυικη']],
  ['مكتبة', ['مكتة', 'مكاتبة', 'مكتبه', 'مكبتة']],
  ['שלום', ['שלם', 'שללום', 'שלוח', 'שולם']],
])('one letter inserted, deleted, replaced or swapped: %s', (word, slips) => {
  const edits = oneEditFrom(word)
  expect(edits).toEqual(expect.arrayContaining(slips))
  expect(new Set(edits).size).toBe(edits.length)
  expect(edits.filter((edit) => editDistance(word, edit) !== 1)).toEqual([])
})

test('a word without letters of an alphabet loses and swaps characters, but gains none', () => {
  expect(oneEditFrom('42').sort()).toEqual(['2', '24', '4'])
  expect(oneEditFrom('')).toEqual([])
})

describe('words of the vocabulary', () => {
  test.each(['cat', 'ñandú', 'банан', 'ελλαδα', 'مكتبة', 'שלום', 'a'.repeat(40)])('%s is one', (word) =>
    expect(isVocabularyWord(word)).toBe(true),
  )

  test.each([
    ['is too short', 'at'],
    ['is too long', 'a'.repeat(41)],
    ['is empty', ''],
    ['has a digit', 'sha256'],
    ['has a mark', "don't"],
    ['has a space', 'two words'],
    ['has no alphabet', '東京都'],
  ])('what %s is not', (_, word) => expect(isVocabularyWord(word)).toBe(false))
})

describe('the distance between two words', () => {
  const word = fc.array(fc.constantFrom(...'abc'), { maxLength: 6 }).map((letters) => letters.join(''))

  test.each([
    ['kitten', 'sitting', 3],
    ['receive', 'recieve', 1],
    ['ca', 'abc', 3],
    ['', 'abc', 3],
    ['cluster', 'cluster', 0],
  ])('of %j and %j is %i', (a, b, distance) => expect(editDistance(a, b)).toBe(distance))

  test('is the same both ways, and 0 only for identical words', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b) === 0).toBe(a === b)
      }),
    )
  })

  test('lies between the difference of the lengths and the longer length', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b)
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })

  test('ignores what both words begin and end with', () => {
    fc.assert(
      fc.property(word, word, word, (a, b, common) => {
        expect(editDistance(`${common}${a}${common}`, `${common}${b}${common}`)).toBe(editDistance(a, b))
      }),
    )
  })

  test('is 1 if one word is the other with two letters swapped', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        if (areSwapped(a, b)) expect(editDistance(a, b)).toBe(1)
      }),
    )
  })
})

describe('swapped letters', () => {
  test.each([
    ['form', 'from'],
    ['ab', 'ba'],
    ['tehre', 'there'],
    ['wrod', 'word'],
  ])('make %s of %s', (a, b) => {
    expect(areSwapped(a, b)).toBe(true)
    expect(areSwapped(b, a)).toBe(true)
  })

  test.each([
    ['the same word', 'word', 'word'],
    ['two swaps', 'abcd', 'badc'],
    ['a swap and another letter', 'wrode', 'wordx'],
    ['letters that are not next to each other', 'cab', 'bac'],
    ['another length', 'ab', 'bac'],
    ['no letters', '', ''],
    ['the same letter twice', 'aa', 'aa'],
  ])('are not %s', (_, a, b) => expect(areSwapped(a, b)).toBe(false))
})

describe('shared trigrams', () => {
  test('say how alike two words are, ends included', () => {
    const grams = gramsOf('cluster')
    expect(countShared('cluster', grams)).toBe(grams.length)
    expect(countShared('clusters', grams)).toBe(grams.length - 1)
    expect(countShared('luster', grams)).toBe(5)
    expect(countShared('banana', grams)).toBe(0)
  })

  test('of a repetitive word are counted once', () => {
    expect(gramsOf('aaaa')).toEqual(['^aa', 'aaa', 'aa$'])
  })

  test('are the terms under which a word is posted', () => {
    for (const word of ['cat', 'банан', 'aaaaa', 'ñandú'])
      expect(gramTermsOf(word).split(' ')).toEqual(gramsOf(word).map(toGramTerm))
  })
})
