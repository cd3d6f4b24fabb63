import { expect, test } from 'vitest'
import { isEnglishWord } from './dictionary.ts'

test.each(['car', 'cars', 'went', 'companies', 'physician', 'whether', 'refunding'])(
  '%s is English',
  (word) => expect(isEnglishWord(word)).toBe(true),
)

test.each(['dedlock', 'versicherung', 'kubernetes', 'constructor!', '__proto__', 'x', 'привет'])(
  '%s is not',
  (word) => expect(isEnglishWord(word)).toBe(false),
)
