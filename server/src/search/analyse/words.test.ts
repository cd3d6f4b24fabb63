import { describe, expect, test } from 'vitest'
import type { Language } from './languages.ts'
import { readChunk } from './words.ts'

const read = (text: string, language: Language = 'en') => {
  const { units, wholes } = readChunk(text, language)
  return {
    words: units.filter(({ isStop }) => !isStop).map(({ term }) => term),
    wholes,
  }
}

describe('an identifier is read as its parts and as a whole', () => {
  test.each([
    ['getUserById', ['get', 'user', 'id'], ['getuserbyid']],
    ['HTTP_404', ['http', '404'], ['http404']],
    ['XMLHttpRequest', ['xml', 'http', 'request'], ['xmlhttprequest']],
    ['node.js', ['node', 'js'], ['nodejs']],
    ['checkout-service', ['checkout', 'servic'], ['checkoutservice']],
    ['sha256', ['sha', '256'], ['sha256']],
    ['deadbeef12ab34', ['deadbeef12ab34'], []],
    ['ab12cd', ['ab12cd'], []],
    ['k8s', ['k', '8', 's'], ['k8s']],
    ['C#', ['c'], ['c#']],
    ['C++', ['c'], ['c++']],
  ])('%s', (text, words, wholes) => {
    const chunk = readChunk(text, 'en')
    expect(chunk.units.map(({ term }) => term).filter((term) => term !== 'by')).toEqual(words)
    expect(chunk.wholes).toEqual(wholes)
  })

  test('in which function words count, since it is not a sentence', () => {
    expect(read('is_in_use').words).toHaveLength(3)
    expect(read('is-in-use').words).toEqual(['use'])
  })

  test('and words joined by a slash, comma, at sign or ampersand are read separately', () => {
    expect(read('ada@example.com').words).toEqual(['ada', 'exampl', 'com'])
    expect(read('bread,butter').words).toEqual(['bread', 'butter'])
    expect(read('src/main.ts').wholes).toEqual(['maints'])
  })
})

describe('a number', () => {
  test.each([
    ['1,000,000', '1000000'],
    ['1250.50', '1250.50'],
    ['1,5', '1.5'],
    ['12:30', '12:30'],
    ['٢٠٢٤', '٢٠٢٤'],
    ['２０２４', '2024'],
  ])('such as %s is one word', (text, term) => expect(read(text).words).toEqual([term]))

  test('with decimals is read apart from its unit', () => {
    expect(read('1.5kg').words).toEqual(['1.5', 'kg'])
    expect(read('10.5kWh').words).toEqual(['10.5', 'kwh'])
    expect(read('1,5kg')).toEqual(read('1.5kg'))
    expect(read('1,250.5kg')).toEqual(read('1250.5kg'))
    expect(read('1,5kg').wholes).toEqual(['1.5kg'])
  })
})

describe('a version', () => {
  test('is found by its beginnings', () => {
    expect(read('3.53.1')).toEqual({ words: ['3.53.1'], wholes: ['3.53'] })
    expect(read('3.14.15.92').wholes).toEqual(['3.14.15', '3.14'])
  })

  test('is found by the beginnings of what precedes a pre-release', () => {
    expect(read('v2.0.1-beta.3').wholes).toEqual(expect.arrayContaining(['2.0.1', '2.0']))
  })

  test('is the same with a v, which is kept as a whole', () => {
    expect(read('v3.53.1').words).toEqual(['3.53.1'])
    expect(read('v3.53.1').wholes).toEqual(['v3.53.1', '3.53'])
  })

  test('of two parts may be a number and has no beginnings', () => {
    expect(read('3.53').wholes).toEqual([])
  })

  test('of more than five parts has none either', () => {
    expect(read('1.2.3.4.5').wholes).toHaveLength(3)
    expect(read('1.2.3.4.5.6').wholes).toEqual([])
  })
})

describe('an apostrophe', () => {
  test.each([
    ["Anna's", ['anna']],
    ['Anna’s', ['anna']],
    ["O'Brien", ['o', 'brien']],
    ["they'll", []],
    ["don't", []],
  ])('in English ends a word or belongs to it: %s', (text, words) => expect(read(text).words).toEqual(words))

  test('separates words in other languages', () => {
    expect(read("l'homme", 'fr').words).toEqual(read('homme', 'fr').words)
    expect(read("l'homme", 'fr').words).toHaveLength(1)
    expect(read("dell'acqua", 'it').words.at(-1)).toBe(read('acqua', 'it').words[0])
  })
})

describe('a text without spaces', () => {
  test('is read word by word, and in pairs of characters', () => {
    const { words, wholes } = read('東京旅行')
    expect(words).toEqual(['东京', '旅行'])
    expect(wholes).toEqual(['京旅'])
  })

  test('is read only word by word in an alphabetic script', () => {
    const { words, wholes } = read('ประเทศไทยสวยงามมาก')
    expect(words.length).toBeGreaterThan(1)
    expect(wholes).toEqual([])
  })

  test('may contain words of other scripts', () => {
    const { words } = read('日本語JSON対応v2')
    expect(words).toEqual(expect.arrayContaining(['json']))
    expect(words.some((word) => word.includes('日'))).toBe(true)
  })
})

describe('a long word', () => {
  const long = 'x'.repeat(200)

  test('is cut to 64 characters', () => {
    expect(read(long).words).toEqual(['x'.repeat(64)])
    expect(read(`${long}_${long}`).words).toEqual(['x'.repeat(64), 'x'.repeat(64)])
  })

  test('is not cut within a character', () => {
    const [term] = read(`x${'𝒷'.repeat(50)}`.normalize()).words
    expect(term?.isWellFormed()).toBe(true)
    const emoji = read(`x${'𐐷'.repeat(50)}`).words[0]!
    expect(emoji.isWellFormed()).toBe(true)
    expect(emoji.length).toBeLessThanOrEqual(64)
  })

  test('is not a whole identifier', () => {
    expect(read(`${'ab_'.repeat(40)}ab`).wholes).toEqual([])
    expect(read(`${'ab_'.repeat(20)}ab`).wholes).toEqual(['ab'.repeat(21)])
  })
})

test('a soft hyphen or joiner within a word is not part of it', () => {
  expect(read('so\u00adft\u200dware').words).toEqual(read('software').words)
})

test('each word has its position in the original text', () => {
  const text = 'ﬁneÉtat_v2'
  const units = readChunk(text, 'en').units
  expect(units.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text.replace('_', ''))
  expect(units.every(({ from, to }, i) => from < to && from >= (units[i - 1]?.to ?? 0))).toBe(true)
})

test('numbers, codes and function words do not enter the vocabulary', () => {
  const learnt = (text: string) =>
    readChunk(text, 'en')
      .units.filter(({ isLearnt }) => isLearnt)
      .map(({ surface }) => surface)
  expect(learnt('checkout-service')).toEqual(['checkout', 'service'])
  expect(learnt('HTTP_404')).toEqual(['http'])
  expect(learnt('the')).toEqual([])
  expect(learnt('Café')).toEqual(['cafe'])
})

test('a chunk that may be a date says so', () => {
  for (const text of ['2024-05-08', 'May', 'août', '5月8日', '08.05.24'])
    expect(readChunk(text, 'en').mayBeDate, text).toBe(true)
  for (const text of ['house', '1.5kg', 'sha256']) expect(readChunk(text, 'en').mayBeDate, text).toBe(false)
})
