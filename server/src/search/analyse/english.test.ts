import { describe, expect, test } from 'vitest'
import { stemEnglish } from './english.ts'

describe('English stems', () => {
  test.each([
    ['relational', 'relat'],
    ['vietnamization', 'vietnam'],
    ['filing', 'file'],
    ['sayings', 'say'],
    ['howe', 'howe'],
    ['at', 'at'],
    ['went', 'go'],
    ['mice', 'mous'],
  ])('%s is stemmed to %s', (word, stem) => expect(stemEnglish(word)).toBe(stem))

  test('are not looked up for words of other scripts', () => {
    expect(stemEnglish('cafés')).toBe('cafés')
    expect(stemEnglish('sha256s')).toBe('sha256s')
  })
})
