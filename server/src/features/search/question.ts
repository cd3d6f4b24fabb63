import { analyse } from '../../search-index/analyser.ts'
import { foldCase } from '../../search-index/fold.ts'
import { type Language, latinLanguages, stem } from '../../search-index/languages.ts'

/** A word that is asked for, before the vocabulary of the space is known. */
export type AskedWord = {
  term: string
  /** As it was written, folded. */
  surface: string
  /** Stems in the other languages that the word may be of. */
  otherStems: string[]
  /** Stands for a whole identifier, or for a pair of ideographs. */
  isWhole: boolean
  /** The terms of the identifiers that it is a part of. */
  partOf: string[]
  /** Still being typed: words that begin with it count too. */
  isPrefix: boolean
}

export type Question = {
  words: AskedWord[]
  /** Terms of all its words, function words too, to see whether a name is among them. */
  terms: Set<string>
  /** True when there are function words only; the index has none of these for observations. */
  isBare: boolean
  /** True when it is in a language that writes compounds as one word. */
  hasCompounds: boolean
  /** True unless it is certainly in another language. */
  mayBeEnglish: boolean
}

const wordsMax = 256
const compoundingLanguages: readonly Language[] = ['de', 'nl']
/** What is longer is no word of any language, and stemmers take time with the square of its length. */
const stemmedLengthMax = 64
const latinWord = /^[\p{Script=Latin}'’]+$/u

/** Takes a query apart. `typing` tells that its last word may be incomplete. */
export function readQuestion(query: string, { typing }: { typing: boolean }): Question {
  const { tokens, wholes, language, isCertain } = analyse(query)
  const content = tokens.filter((token) => !token.isStop)
  const asked = content.length > 0 ? content : tokens
  const last = tokens.at(-1)
  const isOpen = typing && last !== undefined && last.end === query.length
  const words = asked.map((token): AskedWord => {
    const written = foldCase(query.slice(token.start, token.end))
    return {
      term: token.term,
      surface: token.surface,
      otherStems: isCertain && language === 'en' ? [] : otherStems(written, token.term),
      isWhole: false,
      partOf: wholes
        .filter(({ start, end }) => start <= token.start && token.end <= end)
        .map(({ term }) => term),
      isPrefix: isOpen && token === last,
    }
  })
  const kept = wholes.map(
    ({ term }): AskedWord => ({
      term,
      surface: term,
      otherStems: [],
      isWhole: true,
      partOf: [],
      isPrefix: false,
    }),
  )
  return {
    words: distinct([...words, ...kept]).slice(0, wordsMax),
    terms: new Set([...tokens, ...wholes].map((token) => token.term)),
    isBare: content.length === 0 && wholes.length === 0,
    hasCompounds: isCertain && compoundingLanguages.includes(language),
    mayBeEnglish: !isCertain || language === 'en',
  }
}

/** A short query does not tell its language, and the text that it means was stemmed in its own. */
function otherStems(word: string, term: string): string[] {
  if (word.length > stemmedLengthMax || !latinWord.test(word)) return []
  const stems = latinLanguages.map((language) => stem(word, language))
  return [...new Set(stems)].filter((other) => other !== term)
}

function distinct(words: readonly AskedWord[]): AskedWord[] {
  const byTerm = new Map<string, AskedWord>()
  for (const word of words) {
    const known = byTerm.get(word.term)
    if (known === undefined) byTerm.set(word.term, word)
    else if (word.isPrefix) known.isPrefix = true
  }
  return [...byTerm.values()]
}
