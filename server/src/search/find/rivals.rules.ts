import { analyse } from '../analyse/analyser.ts'
import { dimensions, productOfSame, toTextVector } from '../meaning/word-vectors.ts'

/** The least sum of both likenesses, of 2, with which a fact is named as a rival. */
const rivalMin = 0.1
/** The least likeness of words with which facts are taken for two versions of one. */
const versionMin = 0.3

type Fact = { content: string }

/**
 * Of other facts about an entity, those that could say the same as a text or the opposite, nearest first, by their rare
 * words and, in English, by their meaning. `npm run bench:rivals` measures it.
 */
export function findRivals<T extends Fact>(text: string, others: readonly T[], name: string): T[] {
  const inName = new Set(name.toLowerCase().match(word))
  const meaningOf = (content: string) =>
    toTextVector(content.replace(word, (found) => (inName.has(found.toLowerCase()) ? '' : found)))
  const meaning = meaningOf(text)
  return compareWords(text, others, name)
    .map(({ fact, score }) => ({ fact, score: score + likenessOf(meaning, meaningOf(fact.content)) }))
    .filter(({ score }) => score >= rivalMin)
    .sort((a, b) => b.score - a.score)
    .map(({ fact }) => fact)
}

/** Of other facts about an entity, those that share so many words with a text that only one may hold, nearest first. */
export function findVersions<T extends Fact>(text: string, others: readonly T[], name: string): T[] {
  return compareWords(text, others, name)
    .filter(({ score }) => score >= versionMin)
    .sort((a, b) => b.score - a.score)
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
