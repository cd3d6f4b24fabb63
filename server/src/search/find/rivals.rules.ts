import { analyse } from '../analyse/analyser.ts'
import { dimensions, productOfSame, toTextVector } from '../meaning/word-vectors.ts'
import { tellsOfChange } from './change-words.ts'
import { giveTwoValues } from './single-values.ts'

/** The least sum of both likenesses, of 2, with which a fact is named as a rival. */
const rivalMin = 0.1

type Fact = { content: string }

/**
 * Of other facts about an entity, those that could say the same as a text or the opposite, nearest first, by their rare
 * words and, in English, by their meaning. `npm run bench:rivals` measures it.
 */
export function findRivals<T extends Fact>(text: string, others: readonly T[], name: string): T[] {
  const meaningOf = meaningWithout(name)
  const meaning = meaningOf(text)
  return compareWords(text, others, name)
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
const meaningMin = 0.35
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
export function findReplaced<T extends Fact>(text: string, earlier: readonly T[], name: string): T[] {
  if (text.length > passageMax) return []
  const tells = tellsOfChange(text)
  const meaning = tells ? meaningWithout(name) : () => undefined
  const about = meaning(text)
  const couldReplace = ({ fact, score }: { fact: T; score: number }) => {
    const length = Math.max(text.length, fact.content.length)
    if (length > statementMax) return score >= (tells ? passageMin : versionMin)
    if (giveTwoValues(fact.content, text, name)) return true
    return tells && (score >= statementMin || likenessOf(about, meaning(fact.content)) >= meaningMin)
  }
  return compareWords(text, earlier, name)
    .filter(couldReplace)
    .sort((a, b) => b.score - a.score)
    .slice(0, replacedMax)
    .map(({ fact }) => fact)
}

/**
 * The cosine of the rare words of a text and of each fact, from 0 to 1. Words that most facts have tell little; the
 * words of the entity's name tell nothing.
 */
function compareWords<T extends Fact>(text: string, others: readonly T[], name: string) {
  const inName = new Set(analyse(name).tokens.map(({ term }) => term))
  const termsOf = (content: string) =>
    new Set(
      analyse(content)
        .tokens.map(({ term }) => term)
        .filter((term) => !inName.has(term) && !isNumber.test(term)),
    )
  const about = termsOf(text)
  const facts = others.map((fact) => ({ fact, terms: termsOf(fact.content) }))
  const counts = new Map<string, number>()
  for (const terms of [about, ...facts.map((one) => one.terms)])
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const weigh = (term: string) => Math.log(1 + (facts.length + 1) / (counts.get(term) ?? 1)) ** 2
  const sizeOf = (terms: Iterable<string>) => [...terms].reduce((sum, term) => sum + weigh(term), 0)
  return facts.map(({ fact, terms }) => {
    const shared = sizeOf([...terms].filter((term) => about.has(term)))
    return { fact, score: shared === 0 ? 0 : shared / Math.sqrt(sizeOf(about) * sizeOf(terms)) }
  })
}

/** The meaning of texts, without the words of the name of what they are about. */
function meaningWithout(name: string): (content: string) => Int8Array | undefined {
  const inName = new Set(name.toLowerCase().match(word))
  return (content) =>
    toTextVector(content.replace(word, (found) => (inName.has(found.toLowerCase()) ? '' : found)))
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
