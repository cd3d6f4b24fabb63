import { stemmer as stemArabic } from '@orama/stemmers/arabic'
import { stemmer as stemDutch } from '@orama/stemmers/dutch'
import { stemmer as stemFrench } from '@orama/stemmers/french'
import { stemmer as stemGerman } from '@orama/stemmers/german'
import { stemmer as stemItalian } from '@orama/stemmers/italian'
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese'
import { stemmer as stemRussian } from '@orama/stemmers/russian'
import { stemmer as stemSpanish } from '@orama/stemmers/spanish'
import { stemEnglish } from './english.ts'
import { foldDiacritics } from './fold.ts'
import { functionWords } from './function-words.ts'

export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'ru' | 'ar'

/** "And" and "so" are prefixed to the article, which the stemmer removes only at the start. */
const conjunctionBeforeArticle = /^[وف](?=(?:ال|بال|كال|لل)\p{L}{3})/u

const stemmers: Record<Language, (word: string) => string> = {
  en: (word) => stemEnglish(foldDiacritics(word)),
  de: stemGerman,
  fr: stemFrench,
  es: stemSpanish,
  it: stemItalian,
  pt: stemPortuguese,
  nl: stemDutch,
  ru: stemRussian,
  ar: (word) => stemArabic(word.replace(conjunctionBeforeArticle, '')),
}

/** Languages in Latin script, told apart by their function words; English is the default. */
export const latinLanguages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const satisfies Language[]

function bitOf(language: Language): number {
  const index = (latinLanguages as readonly Language[]).indexOf(language)
  return index < 0 ? 0 : 1 << index
}

const stopWordsOf = new Map<Language, Set<string>>()
const masks = new Map<string, number>()
for (const [language, words] of Object.entries(functionWords) as [Language, string][]) {
  const folded = words.split(/\s+/).map(foldDiacritics)
  stopWordsOf.set(language, new Set(folded))
  const bit = bitOf(language)
  if (bit !== 0) for (const word of folded) masks.set(word, (masks.get(word) ?? 0) | bit)
}

const cyrillic = /\p{Script=Cyrillic}/u
const arabic = /\p{Script=Arabic}/u

/** The language used to stem a word: its script's, or for Latin script that of the text. */
export function languageOfWord(word: string, textLanguage: Language): Language {
  if (word.charCodeAt(0) < 0x250) return textLanguage
  if (cyrillic.test(word)) return 'ru'
  if (arabic.test(word)) return 'ar'
  return textLanguage
}

/** The Latin-script languages, as bits, that have the (folded) word among their function words. */
export function functionWordMask(word: string): number {
  return masks.get(word) ?? 0
}

export function isStopWord(word: string, language: Language): boolean {
  return stopWordsOf.get(language)?.has(word) ?? false
}

/** The function words of all languages. */
export const listFunctionWords = (): string[] => [...stopWordsOf.values()].flatMap((words) => [...words])

/** The stem of a lower-case word with diacritics; the stem has none. */
export function stem(word: string, language: Language): string {
  return foldDiacritics(stemmers[language](word)) || foldDiacritics(word)
}

/** Letters that identify a language on their own. */
const tellingLetters: [RegExp, Language][] = [
  [/[äöüß]/i, 'de'],
  [/[èêçœùîû]/i, 'fr'],
  [/[ñ¿]/i, 'es'],
  [/[ãõ]/i, 'pt'],
]
const beyondAscii = /\P{ASCII}/u

/** The Latin-script languages, as bits, that the letters of a word suggest. */
export function letterMask(word: string): number {
  if (!beyondAscii.test(word)) return 0
  const told = tellingLetters.filter(([letters]) => letters.test(word))
  return told.reduce((mask, [, language]) => mask | bitOf(language), 0)
}

const english = bitOf('en')

/**
 * Weight of a word for English against all other languages: if the sum over a text is at least 0, the
 * text is English.
 */
export const speakForEnglish = (functionWordMask: number): number =>
  functionWordMask === english ? 1 : functionWordMask === 0 || functionWordMask & english ? 0 : -1

/**
 * One vote per function word, and two for characteristic letters if nothing is English: names have such
 * letters too.
 */
function countVotes(chunks: readonly { functionWordMask: number; letterMask: number }[]): number[] {
  let letters = 0
  const votes = latinLanguages.map(() => 0)
  for (const chunk of chunks) {
    letters |= chunk.letterMask
    if (chunk.functionWordMask === 0) continue
    for (let i = 0; i < votes.length; i += 1) if (chunk.functionWordMask & (1 << i)) votes[i]! += 1
  }
  const english = votes[0]!
  return english > 0 ? votes : votes.map((count, i) => (letters & (1 << i) ? count + 2 : count))
}

/**
 * The language of a text by its function words and letters, and whether that is certain. A language
 * other than English needs two votes and more than English has: a name ("Los Angeles") or a loanword
 * must not decide.
 */
export function detectLanguage(chunks: readonly { functionWordMask: number; letterMask: number }[]): {
  language: Language
  isCertain: boolean
} {
  const votes = countVotes(chunks)
  let best = 0
  for (let i = 1; i < votes.length; i += 1) if (votes[i]! > votes[best]!) best = i
  return votes[best]! >= 2
    ? { language: latinLanguages[best] ?? 'en', isCertain: true }
    : { language: 'en', isCertain: false }
}
