import type { Context } from '../../context.ts'
import { analyse } from '../../search-index/analyser.ts'
import { nameMark } from '../../search-index/passages.ts'
import { pickHeaviest } from '../../search-index/posting-lists.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import type { QueryWord } from './count-words.ts'
import type { Question } from './question.ts'
import { inverseFrequency } from './ranking.ts'
import { type EntityLabel, findPassages } from './search.repo.ts'
import type { MatchedWords } from './vocabulary-match.ts'

const candidatesMax = 60

/** An entity whose name or type has words of the question. */
export type NameMatch = EntityLabel & {
  /** 0 to 1: how much of the question the name and type are, and of the name the question. */
  score: number
  /** True when all of the name stands in the question. */
  isNamed: boolean
}

/** The entities whose names and types fit a question best, best first. */
export async function findNames(
  { db, dialect }: Context,
  space: IndexedSpace,
  question: Question,
  matched: MatchedWords,
): Promise<NameMatch[]> {
  const { names } = await findPassages(db, dialect, space, pickNames(space, question, matched), {})
  return rankNames(space, question, matched, names)
}

/** The passages that hold the names which fit a question best. */
export function pickNames(space: IndexedSpace, question: Question, { words, lists }: MatchedWords): number[] {
  const weightOf = new Map([...question.terms].map((term) => [term, 1]))
  for (const { terms } of words) {
    for (const [term, weight] of terms) weightOf.set(term, Math.max(weight, weightOf.get(term) ?? 0))
  }
  for (const { term } of question.words) weightOf.set(term, 1)
  const weighted = [...weightOf]
    .flatMap(([term, weight]) => {
      const list = lists.get(nameMark + term)
      return list === undefined
        ? []
        : [{ ...list, weight: weight * inverseFrequency(list.count, space.nextId) }]
    })
    .sort((a, b) => a.count - b.count)
  return pickHeaviest(weighted, candidatesMax)
}

/** How well names fit a question, best first. */
export function rankNames(
  space: IndexedSpace,
  question: Question,
  { words }: MatchedWords,
  labels: readonly EntityLabel[],
): NameMatch[] {
  return labels
    .map((label) => toNameMatch(label, question, words, space.passages))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
}

function toNameMatch(
  label: EntityLabel,
  question: Question,
  words: readonly QueryWord[],
  passages: number,
): NameMatch {
  const name = nameTerms(label.name)
  const both = new Set([...name, ...nameTerms(label.type)])
  let matched = 0
  let total = 0
  const found = new Set<string>()
  question.words.forEach(({ term }, place) => {
    const word = words[place]
    const weight = inverseFrequency(word?.count ?? 0, passages)
    const terms = new Map([...(word?.terms ?? []), [term, 1]])
    total += weight
    let best = 0
    for (const [candidate, part] of terms) {
      if (!both.has(candidate)) continue
      found.add(candidate)
      best = Math.max(best, part)
    }
    matched += weight * best
  })
  const isIn = (term: string) => question.terms.has(term) || found.has(term)
  const inName = name.filter(isIn).length / Math.max(1, name.length)
  return {
    ...label,
    score: (matched / (total || 1)) * (0.5 + 0.5 * inName),
    isNamed: name.length > 0 && name.every((term) => question.terms.has(term)),
  }
}

const cachedNamesMax = 20_000
const cachedNames = new Map<string, string[]>()

/** The terms of an entity's name, function words too. */
export function nameTerms(name: string): string[] {
  let terms = cachedNames.get(name)
  if (terms === undefined) {
    if (cachedNames.size >= cachedNamesMax) cachedNames.clear()
    terms = analyse(name).tokens.map((token) => token.term)
    cachedNames.set(name, terms)
  }
  return terms
}
