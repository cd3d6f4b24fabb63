import { isEnglishWord } from './dictionary.ts'
import { detectLanguage, type Language } from './languages.ts'

type TextPart = { functionWordMask: number; letterMask: number }
const plainLetters = /^[a-z]+$/
const englishWordsMin = 2

/**
 * The language of a text and whether it is certain, as `detectLanguage` does, except that letters tell nothing among
 * English words: notes without function words often contain foreign names ("Speaker dinner, Brauhaus Früh").
 * `learntIn` returns the words of a part for the vocabulary, folded.
 */
export function detectTextLanguage<T extends TextPart>(
  parts: readonly T[],
  learntIn: (part: T) => readonly string[],
): { language: Language; isCertain: boolean } {
  const detected = detectLanguage(parts)
  if (detected.language === 'en' || !isToldByLetters(parts)) return detected
  const words = parts
    .filter(({ letterMask }) => letterMask === 0)
    .flatMap(learntIn)
    .filter((word) => plainLetters.test(word))
  const english = words.filter(isEnglishWord).length
  const isEnglish = english >= englishWordsMin && english * 2 > words.length
  return isEnglish ? { language: 'en', isCertain: false } : detected
}

const isToldByLetters = (parts: readonly TextPart[]) =>
  parts.some(({ letterMask }) => letterMask !== 0) &&
  detectLanguage(parts.map((part) => ({ ...part, letterMask: 0 }))).language === 'en'
