import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMixture } from '../../../test/texts.ts'
import { analyse } from './analyser.ts'
import {
  asksAtEnd,
  searchedTerms,
  spansOf,
  toAliasTerms,
  toEntityTerms,
  toPassages,
  toPassageTexts,
} from './passages.ts'

/** As many words as asked for, each `w0`, `w1`..., where `after` puts something else than a space behind a word. */
function wordsOf(count: number, after: Record<number, string> = {}): string {
  return Array.from({ length: count }, (_, i) => `w${i}${after[i] ?? ''}`).join(' ')
}

/** The places of the words of a text, which are what lies between spaces. */
const placesOf = (text: string) =>
  [...text.matchAll(/[^\s.!?。！？؟]+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))

const sizesOf = (text: string) => [...spansOf(text, placesOf(text))].map(({ from, to }) => to - from)

describe('the passages of a text', () => {
  test('have at most 100 words', () => {
    expect(sizesOf(wordsOf(100))).toEqual([100])
    expect(sizesOf(wordsOf(101))).toEqual([100, 1])
    expect(sizesOf(wordsOf(250))).toEqual([100, 100, 50])
  })

  test('end at the last sentence that ends in their second half', () => {
    expect(sizesOf(wordsOf(150, { 60: '.', 79: '.' }))).toEqual([80, 70])
    expect(sizesOf(wordsOf(150, { 99: '.' }))).toEqual([100, 50])
  })

  test('do not end at a sentence that ends in their first half', () => {
    expect(sizesOf(wordsOf(150, { 50: '.' }))).toEqual([51, 99])
    expect(sizesOf(wordsOf(150, { 49: '.' }))).toEqual([100, 50])
  })

  test.each(['.', '!', '?', '\n', '。', '！', '？', '؟'])('end at the sentence end %j', (mark) => {
    expect(sizesOf(wordsOf(120, { 69: mark }))).toEqual([70, 50])
  })

  test('do not end at a comma', () => {
    expect(sizesOf(wordsOf(120, { 69: ',' }))).toEqual([100, 20])
  })

  test('follow each other and leave no word out', () => {
    const anyWords = fc.array(fc.constantFrom('word ', 'end. ', 'what? ', 'line\n', '...', ' '), {
      maxLength: 350,
    })
    fc.assert(
      fc.property(anyWords, (parts) => {
        const text = parts.join('')
        const places = placesOf(text)
        const spans = [...spansOf(text, places)]
        let [word, offset] = [0, spans[0]!.textStart]
        for (const span of spans) {
          expect([span.from, span.textStart]).toEqual([word, offset])
          word = span.to
          offset = span.textEnd
        }
        expect([word, offset]).toEqual([places.length, text.length])
      }),
      { numRuns: 60 },
    )
  })

  test('have their words in their texts', () => {
    const text = `${'The quick brown fox jumps. '.repeat(30)}It never rains in Lima?`
    const passages = toPassages(text)
    const texts = toPassageTexts(text)
    expect(texts).toHaveLength(passages.length)
    expect(texts.at(-1)).toMatch(/It never rains in Lima\?$/)
    expect(passages.at(-1)?.terms).toEqual(expect.arrayContaining(['rain', 'lima', '?']))
    expect(texts.join(' ')).toBe(text)
  })

  test('have as many texts as term lists, whatever the text', () => {
    fc.assert(
      fc.property(anyMixture(60), (text) => {
        expect(toPassageTexts(text)).toHaveLength(toPassages(text).length)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a passage that asks', () => {
  test.each(['Where is it?', 'どこですか？', 'أين هو؟', 'Where is it? Tell me.'])('"%s" is one', (text) => {
    expect(asksAtEnd(text, 0, text.length)).toBe(true)
    expect(toPassages(text)[0]?.terms).toContain('?')
  })

  test('is not one that asked long before its end', () => {
    const within = `Why?${' '.repeat(79)}`
    expect(asksAtEnd(within, 0, within.length)).toBe(true)
    expect(asksAtEnd(`${within} `, 0, within.length + 1)).toBe(false)
  })

  test('is not one after a question', () => {
    const text = 'Where? Here.'
    expect(asksAtEnd(text, text.indexOf('Here'), text.length)).toBe(false)
    expect(asksAtEnd(text, 0, text.indexOf('?'))).toBe(false)
  })
})

describe('the terms of an entity', () => {
  const termsOf = (name: string, type: string, metadata: string[] = []) =>
    toEntityTerms(analyse(name), analyse(type), metadata)

  test('are marked with the field they come from', () => {
    expect(termsOf('checkout-service', 'service', ['eu'])).toEqual([
      '@checkout',
      '@servic',
      '@service',
      '&checkoutservice',
      '~servic',
      '%eu',
    ])
  })

  test('include function words, since names consist of them', () => {
    expect(termsOf('The Who', 'band')).toEqual(['@the', '@who', '~band'])
  })

  test('include each term of a field once', () => {
    expect(termsOf('New York, New York', 'city')).toEqual(['@new', '@york', '~citi'])
  })

  test('distinguish the names that words of aliases come from', () => {
    const aliases = toAliasTerms(['NYC', 'Big Apple', 'Apple city'].map((alias) => analyse(alias)))
    expect(aliases).toEqual([
      '^0.nyc',
      '^1.big',
      '^1.appl',
      '^1.apple',
      '^2.appl',
      '^2.apple',
      '^2.citi',
      '^2.city',
    ])
  })

  test('are posted under one mark, whatever their field', () => {
    expect(searchedTerms(['@a', '&ab', '~b', '%c', '^12.d'])).toEqual(['@a', '@ab', '@b', '@c', '@d'])
  })

  test('of an alias may contain full stops', () => {
    expect(searchedTerms(['^0.2.1', '^10.3.53.1'])).toEqual(['@2.1', '@3.53.1'])
  })
})

describe('the terms of a passage', () => {
  test('are posted without field marks', () => {
    expect(searchedTerms(['tea', '+teapot', '=green'])).toEqual(['tea', 'teapot', 'green'])
  })

  test('are posted without passage marks and gaps', () => {
    expect(searchedTerms(['?', 'tea', '!', ''])).toEqual(['tea'])
  })

  test('are posted as they are if they consist of a mark alone', () => {
    expect(searchedTerms(['+', '@'])).toEqual(['+', '@'])
  })

  test('include identifiers in the passage that has their words', () => {
    const filler = 'alpha beta gamma delta epsilon zeta eta theta iota kappa. '.repeat(12)
    const passages = toPassages(`getUserById ${filler}HTTP_404`).map(({ terms }) => terms)
    expect(passages).toHaveLength(2)
    expect(passages[0]).toContain('+getuserbyid')
    expect(passages[0]).not.toContain('+http404')
    expect(passages[1]).toContain('+http404')
  })
})
