import { describe, expect, test } from 'vitest'
import { analyse } from './analyser.ts'
import { toPassages } from './passages.ts'
import { editDistance, gramsOf, gramTermsOf, toGramTerm } from './vocabulary.ts'

const termsOf = (text: string) =>
  analyse(text)
    .tokens.filter((token) => !token.isStop)
    .map((token) => token.term)
const wholesOf = (text: string) => analyse(text).wholes.map((whole) => whole.term)

describe('analyse', () => {
  test('folds case and diacritics and drops function words', () => {
    expect(termsOf('The Café in ZÜRICH')).toEqual(termsOf('cafe zurich'))
  })

  test('maps the forms of a word to one term', () => {
    expect(new Set(['went', 'goes', 'going', 'gone'].flatMap(termsOf)).size).toBe(1)
    expect(termsOf('mice')).toEqual(termsOf('mouse'))
    expect(termsOf("Anna's")).toEqual(termsOf('Anna'))
  })

  // The vocabulary published with the algorithm, snowballstem.org/algorithms/english.
  test.each([
    ['consign', 'consign'],
    ['consistency', 'consist'],
    ['consolations', 'consol'],
    ['knightly', 'knight'],
    ['knocking', 'knock'],
    ['generously', 'generous'],
    ['happily', 'happili'],
    ['skies', 'sky'],
    ['news', 'news'],
    ['proceed', 'proceed'],
  ])('stems %s to %s', (word, stem) => expect(termsOf(word)).toEqual([stem]))

  test('keeps identifiers whole beside their parts', () => {
    expect(wholesOf('parseHttpHeader HTTP_404 v2.1.0 sha256')).toEqual([
      'parsehttpheader',
      'http404',
      'v2.1.0',
      '2.1',
      'sha256',
    ])
    expect(termsOf('v2.1.0')).toEqual(termsOf('2.1.0'))
    expect(termsOf('XMLHttpRequest')).toEqual(['xml', 'http', 'request'])
    expect(termsOf('1,000,000')).toEqual(['1000000'])
    expect(termsOf('deadbeef12ab')).toEqual(['deadbeef12ab'])
  })

  test('gives versions a term of their own', () => {
    const { tokens, wholes } = analyse('Meet for release v3.53.1 in the office')
    expect(wholes.map(({ term, after }) => [term, tokens[after]?.surface])).toEqual([
      ['v3.53.1', '3.53.1'],
      ['3.53', '3.53.1'],
    ])
  })

  test('reads each language in its own way', () => {
    expect(analyse('Die Häuser der Stadt sind alt').language).toBe('de')
    expect(analyse("Les chevaux n'étaient pas dans le pré").language).toBe('fr')
    expect(analyse('Los Angeles is in California').language).toBe('en')
    expect(termsOf('东京旅行')).toEqual(['东京', '旅行'])
  })

  test('gives the positions of words in the original text', () => {
    const text = '🚀 ＦＵＬＬ cafés'
    expect(analyse(text).tokens.map(({ start, end }) => text.slice(start, end))).toEqual([
      'ＦＵＬＬ',
      'cafés',
    ])
  })

  test("keeps the index's separators out of terms", () => {
    const text = 'ﷺ ⑴ ͺα'
    const terms = [...termsOf(text), ...wholesOf(text)]
    expect(terms.filter((term) => /[ ()]/.test(term))).toEqual([])
    expect(termsOf('⑴')).toEqual(termsOf('1'))
  })
})

describe('toPassages', () => {
  test('splits at the ends of sentences, never above 100 words', () => {
    const sentence = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda. '
    const passages = toPassages(sentence.repeat(30))
    expect(passages.length).toBeGreaterThan(3)
    for (const { length } of passages) expect(length).toBeLessThanOrEqual(100)
    expect(passages[0]?.length).toBe(99)
    expect(passages.reduce((sum, { length }) => sum + length, 0)).toBe(330)
  })

  test('makes one passage of a text without words', () => {
    expect(toPassages('🚀')).toEqual([{ terms: [], length: 0 }])
  })
})

describe('vocabulary', () => {
  test('an edit is one letter added, removed, changed or swapped', () => {
    expect(
      ['cluster', 'clustr', 'clusster', 'clastr', 'clutser'].map((word) => editDistance(word, 'cluster')),
    ).toEqual([0, 1, 1, 2, 1])
  })

  test('grams mark the ends of a word', () => expect(gramsOf('cat')).toEqual(['^ca', 'cat', 'at$']))

  test('a word is posted under its grams', () => {
    for (const word of ['cat', 'банан', 'aaaaa', 'ñandú']) {
      expect(gramTermsOf(word).split(' ')).toEqual(gramsOf(word).map(toGramTerm))
    }
  })
})
