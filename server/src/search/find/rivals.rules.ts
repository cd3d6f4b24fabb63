import { analyse } from '../analyse/analyser.ts'

/** Facts at least this alike could say the same or the opposite: the cosine of their rare words. */
const alikeMin = 0.3

/**
 * Of other facts about an entity, those that could say the same as a text or the opposite, nearest first. Words that
 * most facts have tell little; the words of the entity's name tell nothing.
 */
export function findRivals<T extends { content: string }>(
  text: string,
  others: readonly T[],
  name: string,
): T[] {
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
  const alike = (terms: ReadonlySet<string>) => {
    const shared = sizeOf([...terms].filter((term) => about.has(term)))
    return shared === 0 ? 0 : shared / Math.sqrt(sizeOf(about) * sizeOf(terms))
  }
  return facts
    .map(({ fact, terms }) => ({ fact, score: alike(terms) }))
    .filter(({ score }) => score >= alikeMin)
    .sort((a, b) => b.score - a.score)
    .map(({ fact }) => fact)
}

/** Numbers and dates are alike by chance. */
const isNumber = /\d/
