import { describe, expect, test } from 'vitest'
import { functionWordMask } from './languages.ts'
import { readPlainWord } from './words.ts'

describe('a plain word', () => {
  test('is read with its stem', () => {
    expect(readPlainWord('Connections', 'en')).toEqual({
      surface: 'connections',
      term: 'connect',
      isStop: false,
      isLearnt: true,
      isMonth: false,
      functionWordMask: 0,
    })
  })

  test('is read in the language of its text', () => {
    expect(readPlainWord('die', 'de')).toMatchObject({ isStop: true, isLearnt: false })
    expect(readPlainWord('die', 'en')).toMatchObject({ isStop: false, isLearnt: true })
    expect(readPlainWord('boeken', 'nl')?.term).toBe(readPlainWord('boek', 'nl')?.term)
  })

  test('is stemmed after irregular forms are replaced', () => {
    expect(readPlainWord('went', 'en')?.term).toBe('go')
    expect(readPlainWord('mice', 'en')?.term).toBe(readPlainWord('mouse', 'en')?.term)
  })

  test('enters the vocabulary from three letters on', () => {
    expect(readPlainWord('ox', 'en')?.isLearnt).toBe(false)
    expect(readPlainWord('owl', 'en')?.isLearnt).toBe(true)
  })

  test('is not longer than forty letters', () => {
    expect(readPlainWord('x'.repeat(40), 'en')).toBeDefined()
    expect(readPlainWord('x'.repeat(41), 'en')).toBeUndefined()
  })

  test('may be a month', () => {
    for (const month of ['May', 'MARCH', 'juillet', 'dezembro'])
      expect(readPlainWord(month, 'en')?.isMonth, month).toBe(true)
    expect(readPlainWord('Monday', 'en')?.isMonth).toBe(false)
  })

  test('votes for languages, unless it is a single letter', () => {
    expect(readPlainWord('Der', 'en')?.functionWordMask).toBe(functionWordMask('der'))
    expect(functionWordMask('a')).not.toBe(0)
    expect(readPlainWord('a', 'en')?.functionWordMask).toBe(0)
  })
})

test.each([
  '',
  'iPhone',
  'CamelCase',
  'sha256',
  "don't",
  'x_y',
  'café',
  'ÄRGER',
  '42',
  'two words',
  'a-b',
  'ﬁne',
])('%j is no plain word', (text) => expect(readPlainWord(text, 'en')).toBeUndefined())

test.each(['word', 'Word', 'WORD', 'I', 'a'])('%s is a plain word', (text) =>
  expect(readPlainWord(text, 'en')?.surface).toBe(text.toLowerCase()),
)
