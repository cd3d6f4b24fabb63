import { memoised } from '../../ground/lib/memoised.ts'
import { analyse } from '../analyse/analyser.ts'
import { dimensions, productOfSame, toTextVector } from '../meaning/word-vectors.ts'
import { tellsOfChange } from './change-words.ts'
import { type Count, givesNewCount, readCounts } from './new-counts.ts'
import { giveTwoValues } from './single-values.ts'

/** The least sum of both likenesses, of 2, with which a fact is named as a rival. */
const rivalMin = 0.1

type Fact = { content: string }

/**
 * Of other facts about an entity, those that could say the same as a text or the opposite, nearest first, by their rare
 * words and, in English, by their meaning. `npm run bench:rivals` measures it.
 */
export function findRivals<T extends Fact>(text: string, others: readonly T[], name: string): T[] {
  const { termsOf, meaningOf } = createFactReader(name)
  const meaning = meaningOf(text)
  return compareWords(text, others, termsOf)
    .map(({ fact, score }) => ({ fact, score: score + likenessOf(meaning, meaningOf(fact.content)) }))
    .filter(({ score }) => score >= rivalMin)
    .sort((a, b) => b.score - a.score)
    .map(({ fact }) => fact)
}

/** Facts up to this length are one statement; longer ones speak of several things. */
const statementMax = 120
/** A longer text tells of too much to say what it replaces. */
const passageMax = 600
/** The least likeness of words with which a text that tells of a change replaces a statement, or a longer text. */
const statementMin = 0.1
const passageMin = 0.15
/** The same for the meaning of statements. */
const meaningMin = 0.27
/** Long texts that are so alike are versions, also without a word of change. */
const versionMin = 0.3
/** A value can have been told twice before it changed. */
const replacedMax = 2

/**
 * Of earlier facts about an entity, those that a text seems to replace, nearest first. Likeness alone is no sign: "Speaks Spanish"
 * and "Speaks Portuguese" are alike, and both true. So the text has to tell of a change ("now", "moved", "no longer"), or
 * to give another value where there is one at a time ("lives in").
 * `npm run bench:rivals` measures it.
 */
export function findReplaced<T extends Fact>(
  text: string,
  earlier: readonly T[],
  name: string,
  { termsOf, contentOf, meaningOf, countsOf }: FactReader = createFactReader(name),
): T[] {
  if (text.length > passageMax) return []
  const tells = tellsOfChange(text)
  const isPassage = ({ content }: Fact) => Math.max(text.length, content.length) > statementMax
  const givesOther = ({ content }: Fact) => giveTwoValues(content, text, name)
  // Comparing words takes ten times as long.
  if (!tells && !earlier.some((fact) => isPassage(fact) || givesOther(fact))) return []
  const recounts = ({ content }: Fact) => tells && givesNewCount(countsOf(text), countsOf(content))
  const couldReplace = ({ fact, score }: { fact: T; score: number }) => {
    if (recounts(fact)) return true
    if (isPassage(fact)) return score >= (tells ? passageMin : versionMin)
    if (givesOther(fact)) return true
    if (!tells) return false
    return score >= statementMin || likenessOf(meaningOf(text), meaningOf(fact.content)) >= meaningMin
  }
  const compared = (ofPassages: boolean, terms: FactReader['termsOf']) =>
    earlier.some((fact) => isPassage(fact) === ofPassages)
      ? compareWords(text, earlier, terms).filter(({ fact }) => isPassage(fact) === ofPassages)
      : []
  return [...compared(true, termsOf), ...compared(false, contentOf)]
    .filter(couldReplace)
    .sort((a, b) => b.score - a.score)
    .slice(0, replacedMax)
    .map(({ fact }) => fact)
}

/**
 * The cosine of the rare words of a text and of each fact, from 0 to 1. Words that most facts have tell little; the
 * words of the entity's name tell nothing. Function words tell that two facts are built alike; but "moved to" replaces
 * nothing in "allergic to".
 */
function compareWords<T extends Fact>(text: string, others: readonly T[], termsOf: FactReader['termsOf']) {
  const about = termsOf(text)
  const facts = others.map((fact) => ({ fact, terms: termsOf(fact.content) }))
  const counts = new Map<string, number>()
  for (const terms of [about, ...facts.map((one) => one.terms)])
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const weights = new Map<string, number>()
  for (const [term, count] of counts) weights.set(term, Math.log(1 + (facts.length + 1) / count) ** 2)
  const sizeOfAbout = sizeOf(about, weights)
  return facts.map(({ fact, terms }) => {
    const shared = sizeOf(terms.intersection(about), weights)
    return { fact, score: shared === 0 ? 0 : shared / Math.sqrt(sizeOfAbout * sizeOf(terms, weights)) }
  })
}

function sizeOf(terms: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let size = 0
  for (const term of terms) size += weights.get(term) ?? 0
  return size
}

const toTerms = (tokens: readonly { term: string }[]) => new Set(tokens.map(({ term }) => term))

/** More than are ever compared. */
const factsMax = 1_000

/** Reads facts of one entity, without the words of its name, and remembers up to `max` of them. */
type FactReader = {
  termsOf: (content: string) => ReadonlySet<string>
  /** Its terms without function words. */
  contentOf: (content: string) => ReadonlySet<string>
  meaningOf: (content: string) => Int8Array | undefined
  countsOf: (content: string) => readonly Count[]
}

export function createFactReader(name: string, max = factsMax): FactReader {
  const inName = new Set(analyse(name).tokens.map(({ term }) => term))
  const wordsOfName = new Set(name.toLowerCase().match(word))
  const withoutName = (content: string) =>
    content.replace(word, (found) => (wordsOfName.has(found.toLowerCase()) ? '' : found))
  const tokensOf = memoised(max, (content) =>
    analyse(content).tokens.filter(({ term }) => !inName.has(term) && !isNumber.test(term)),
  )
  return {
    termsOf: memoised(max, (content) => toTerms(tokensOf(content))),
    contentOf: memoised(max, (content) => toTerms(tokensOf(content).filter(({ isStop }) => !isStop))),
    meaningOf: memoised(max, (content) => toTextVector(withoutName(content))),
    countsOf: memoised(max, readCounts),
  }
}

/** The cosine of two meanings; 0 if one of them is unknown. */
function likenessOf(one: Int8Array | undefined, other: Int8Array | undefined): number {
  if (one === undefined || other === undefined) return 0
  let product = 0
  for (let i = 0; i < dimensions; i += 1) product += one[i]! * other[i]!
  return product / productOfSame
}

/** Numbers and dates are alike by chance. */
const isNumber = /\d/
const word = /\p{L}+/gu
