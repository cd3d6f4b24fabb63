import { analyse, type Token, type Whole } from '../../search-index/analyser.ts'
import { foldCase } from '../../search-index/fold.ts'
import { type Language, latinLanguages, stem } from '../../search-index/languages.ts'
import { readExcluded, readPhrases } from './question-wording.ts'

/** A word that is asked for, before the vocabulary of the space is known. */
export type AskedWord = {
  term: string
  /** As it was written, folded. */
  surface: string
  /** Stems in the other languages that the word may be of; other readings of a date. */
  otherStems: string[]
  /** Stands for a whole identifier, a pair of ideographs or a date. */
  isWhole: boolean
  /** The terms of the identifiers that it is a part of. */
  partOf: string[]
  /** Still being typed: words that begin with it count too. */
  isPrefix: boolean
  isCapitalised: boolean
}

export type Question = {
  words: AskedWord[]
  /** Terms of all its words, function words too, to see whether a name is among them. */
  terms: Set<string>
  /** True when there are function words only; the index has none of these for observations. */
  isBare: boolean
  /** True when it is in a language that writes compounds as one word. */
  hasCompounds: boolean
  /** True when it may be in such a language. */
  mayHaveCompounds: boolean
  /** True unless it is certainly in another language. */
  mayBeEnglish: boolean
  /** The terms of each quoted phrase, function words too. */
  phrases: string[][]
  /** Terms of what is said not to be so ("who does not eat fish"). */
  excluded: string[]
}

const wordsMax = 256
/** Of a longer query the beginning is read: parts are looked for in wholes, each in all. */
const readTokensMax = 512
const datesMax = 64
const compoundingLanguages: readonly Language[] = ['de', 'nl']
/** What is longer is no word of any language, and stemmers take time with the square of its length. */
const stemmedLengthMax = 64
const partOfDate = /^\p{N}{1,2}$|[年月日号號년월일]/u
const latinWord = /^[\p{Script=Latin}'’]+$/u

/** Takes a query apart. `typing` tells that its last word may be incomplete. */
export function readQuestion(query: string, { typing }: { typing: boolean }): Question {
  const analysis = analyse(query)
  const { language, isCertain } = analysis
  const tokens = analysis.tokens.slice(0, readTokensMax)
  const wholes = analysis.wholes.slice(0, readTokensMax).filter(({ after }) => after < readTokensMax)
  const dates = wholes.filter(({ asked = [] }) => asked.length > 0).slice(0, datesMax)
  const content = tokens.filter((token) => !token.isStop && !isPartOfDate(token, dates))
  const asked = content.length > 0 || dates.length > 0 ? content : tokens
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
      isCapitalised: /^\p{Lu}/u.test(query.slice(token.start, token.end)),
    }
  })
  const kept = wholes.flatMap((whole): AskedWord[] => {
    const [term, ...others] = whole.asked ?? (isPartOfDate(whole, dates) ? [] : [whole.term])
    if (term === undefined) return []
    return [
      {
        ...{ term, surface: term, otherStems: others, partOf: [] },
        ...{ isWhole: true, isPrefix: false, isCapitalised: false },
      },
    ]
  })
  return {
    words: distinct([...words, ...kept]).slice(0, wordsMax),
    terms: new Set([...tokens, ...kept].map(({ term }) => term)),
    isBare: content.length === 0 && wholes.length === 0,
    hasCompounds: isCertain && compoundingLanguages.includes(language),
    mayHaveCompounds: !isCertain || compoundingLanguages.includes(language),
    mayBeEnglish: !isCertain || language === 'en',
    phrases: readPhrases(query, tokens),
    excluded: readExcluded(query, tokens, language),
  }
}

/** The days and months of dates are asked for by whole dates: numbers may count anything. */
function isPartOfDate({ term, start, end }: Token | Whole, dates: readonly Whole[]): boolean {
  return partOfDate.test(term) && dates.some((date) => start >= date.start && end <= date.end)
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
