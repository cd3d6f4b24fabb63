import { memoised } from '../../ground/lib/memoised.ts'
import { analyse, type Token, type Whole } from '../analyse/analyser.ts'
import { foldCase } from '../analyse/fold.ts'
import { type Language, latinLanguages, stem } from '../analyse/languages.ts'
import { type FullNames, listFullNames } from './full-names.ts'
import { readExcluded, readPhrases } from './question-wording.ts'

/** A word of the question, before it is matched with the vocabulary of the space. */
export type AskedWord = {
  term: string
  /** As written, folded. */
  surface: string
  /** Stems in other possible languages; other readings of a date. */
  otherStems: string[]
  /** Stands for a whole identifier, a pair of ideographs or a date. */
  isWhole: boolean
  /** The terms of the identifiers that contain it. */
  partOf: string[]
  /** Still being typed, so words that begin with it match too. */
  isPrefix: boolean
  isCapitalised: boolean
}

export type Question = {
  words: AskedWord[]
  /** All its words, including function words, as terms and as written (folded), to match names. */
  terms: Set<string>
  written: Set<string>
  /** What may be a whole name. */
  fullNames: FullNames
  /** True if there are only function words, which are not indexed for observations. */
  isBare: boolean
  /** True if it is in a language that writes compounds as one word. */
  hasCompounds: boolean
  /** True if it may be in such a language. */
  mayHaveCompounds: boolean
  /** True unless it is certainly in another language. */
  mayBeEnglish: boolean
  /** The terms of each quoted phrase, including function words. */
  phrases: string[][]
  /** Negated terms ("who does not eat fish"). */
  excluded: string[]
}

const wordsMax = 256
/** Longer queries are cut, since every token is checked against every identifier (quadratic time). */
const readTokensMax = 512
const datesMax = 64
const compoundingLanguages: readonly Language[] = ['de', 'nl']
/** Longer tokens are not words of any language, and stemmers take quadratic time. */
const stemmedLengthMax = 64
const partOfDate = /^\p{N}{1,2}$|[年月日号號년월일]/u
const latinWord = /^[\p{Script=Latin}'’]+$/u

/** Parses a query. `typing` means that its last word may be incomplete. */
export function readQuestion(query: string, { typing }: { typing: boolean }): Question {
  const analysis = analyse(query)
  const { language, isCertain } = analysis
  const tokens = analysis.tokens.slice(0, readTokensMax)
  const wholes = analysis.wholes.slice(0, readTokensMax).filter(({ after }) => after < readTokensMax)
  const dates = wholes.filter(({ asked = [] }) => asked.length > 0).slice(0, datesMax)
  const content = withoutFillers(
    tokens.filter((token) => !token.isStop && !isPartOfDate(token, dates)),
    language,
  )
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
    written: new Set(tokens.map(({ surface }) => surface)),
    fullNames: listFullNames(query, tokens),
    isBare: content.length === 0 && wholes.length === 0,
    hasCompounds: isCertain && compoundingLanguages.includes(language),
    mayHaveCompounds: !isCertain || compoundingLanguages.includes(language),
    mayBeEnglish: !isCertain || language === 'en',
    phrases: readPhrases(query, tokens),
    excluded: readExcluded(query, tokens, language),
  }
}

/** Words of a question that its answer does not repeat ("how many", "which customers might"). */
const fillers = new Set(['many', 'much', 'might', 'must'])

/** All words if there are only fillers. */
function withoutFillers(content: readonly Token[], language: Language): readonly Token[] {
  if (language !== 'en') return content
  const kept = content.filter(({ surface }) => !fillers.has(surface))
  return kept.length === 0 ? content : kept
}

/** Days and months of dates are matched only as whole dates, since numbers can mean anything. */
function isPartOfDate({ term, start, end }: Token | Whole, dates: readonly Whole[]): boolean {
  return partOfDate.test(term) && dates.some((date) => start >= date.start && end <= date.end)
}

/** The language of a short query is uncertain, and texts are stemmed in their own language. */
function otherStems(word: string, term: string): string[] {
  if (word.length > stemmedLengthMax || !latinWord.test(word)) return []
  return listStems(word).filter((other) => other !== term)
}

const stemmedWordsMax = 2_000
const listStems = memoised(stemmedWordsMax, (word) => [
  ...new Set(latinLanguages.map((language) => stem(word, language))),
])

function distinct(words: readonly AskedWord[]): AskedWord[] {
  const byTerm = new Map<string, AskedWord>()
  for (const word of words) {
    const known = byTerm.get(word.term)
    if (known === undefined) byTerm.set(word.term, word)
    else if (word.isPrefix) known.isPrefix = true
  }
  return [...byTerm.values()]
}
