import type { Context } from '../../context.ts'
import type { PostingsScope } from '../../db/postings.ts'
import {
  listSimilarWords,
  listWordsStarting,
  type VocabularyWord,
} from '../../search-index/search-index.repo.ts'
import { editDistance, gramsOf, isVocabularyWord } from '../../search-index/vocabulary.ts'
import type { AskedWord } from './question.ts'
import type { QueryWord } from './ranking.ts'

const weights = { relative: 0.3, otherLanguage: 0.8, completion: 0.6, correction: 0.8 }

/** Relatives share this many first letters and this part of the longer word ("mentor", "mentorship"). */
const relativeLettersMin = 5
const relativePartMin = 0.7
const similarWordsMax = 40
const correctionsMax = 3
const correctedWordsMax = 12
const wordsStartingMax = 200
const prefixesMax = 64
const completionsMax = 30
/** Of a very long query the rarest words are enough. */
const rankedWordsMax = 48

type Match = { word: AskedWord; terms: Map<string, number> }

/** Finds for each word of a question the terms of the space that stand for it, and how frequent they are. */
export async function matchVocabulary(
  ctx: Context,
  space: PostingsScope,
  asked: readonly AskedWord[],
): Promise<QueryWord[]> {
  const matches = asked.map((word): Match => ({ word, terms: new Map([[word.term, 1]]) }))
  for (const { word, terms } of matches) {
    for (const stem of word.otherStems) addTerm(terms, stem, weights.otherLanguage)
  }
  await addStarting(ctx, space, matches)
  const counts = await countTerms(ctx, space, matches)
  const unknown = matches.filter(({ word, terms }) => isCorrectable(word) && !hasAny(counts, terms))
  for (const { word, terms } of unknown.slice(0, correctedWordsMax)) {
    const grams = gramsOf(word.surface)
    const similar = await listSimilarWords(ctx.db, ctx.dialect, space, grams, similarWordsMax)
    for (const [term, weight] of findCorrections(word.surface, similar)) addTerm(terms, term, weight)
  }
  for (const [term, count] of await countTerms(ctx, space, unknown)) counts.set(term, count)
  return keepRarest(matches.map(({ word, terms }) => toQueryWord(word, terms, counts)))
}

function addTerm(terms: Map<string, number>, term: string, weight: number): void {
  terms.set(term, Math.max(weight, terms.get(term) ?? 0))
}

const hasAny = (counts: ReadonlyMap<string, number>, terms: ReadonlyMap<string, number>) =>
  [...terms.keys()].some((term) => counts.has(term))

const isCorrectable = ({ surface, isWhole }: AskedWord) =>
  !isWhole && surface.length >= 4 && isVocabularyWord(surface)

async function countTerms(
  { db, dialect }: Context,
  space: PostingsScope,
  matches: readonly Match[],
): Promise<Map<string, number>> {
  const terms = [...new Set(matches.flatMap((match) => [...match.terms.keys()]))]
  return terms.length === 0 ? new Map() : dialect.postings.countPassages(db, space, terms)
}

/** Adds the relatives of words, and the completions of a word that is still being typed. */
async function addStarting({ db }: Context, space: PostingsScope, matches: readonly Match[]): Promise<void> {
  const prefixes = matches.flatMap(({ word }) => prefixOf(word) ?? [])
  const found = await listWordsStarting(
    db,
    space,
    [...new Set(prefixes)].slice(0, prefixesMax),
    wordsStartingMax,
  )
  for (const { word, terms } of matches) {
    const prefix = prefixOf(word)
    if (prefix === undefined) continue
    let completions = 0
    for (const candidate of found) {
      if (!candidate.word.startsWith(prefix)) continue
      if (isRelative(word.term, candidate.term)) addTerm(terms, candidate.term, weights.relative)
      if (!word.isPrefix || !candidate.word.startsWith(word.surface) || completions === completionsMax)
        continue
      addTerm(terms, candidate.term, weights.completion)
      completions += 1
    }
  }
}

function prefixOf(word: AskedWord): string | undefined {
  if (word.isWhole || !isVocabularyWord(word.surface)) return word.isPrefix ? word.surface : undefined
  if (word.isPrefix) return word.surface.slice(0, relativeLettersMin)
  return word.term.length < relativeLettersMin ? undefined : word.term.slice(0, relativeLettersMin)
}

function isRelative(term: string, other: string): boolean {
  if (term.length < relativeLettersMin || !isVocabularyWord(other)) return false
  let shared = 0
  while (shared < term.length && term[shared] === other[shared]) shared += 1
  return shared >= relativeLettersMin && shared >= relativePartMin * Math.max(term.length, other.length)
}

/** Words at one letter's distance for every four letters, the nearest first, with the weight of each. */
function findCorrections(written: string, similar: readonly VocabularyWord[]): [string, number][] {
  const allowed = Math.min(2, Math.max(1, Math.floor(written.length / 4)))
  const measured = similar.map(({ word, term }) => ({ term, distance: editDistance(written, word) }))
  // It is spelt right; only no observation has it.
  if (measured.some(({ distance }) => distance === 0)) return []
  return measured
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, correctionsMax)
    .map(({ term, distance }) => [term, weights.correction / distance])
}

/** A word is as frequent as the most frequent of the terms that stand for it fully, or else of all. */
function toQueryWord(
  { term }: AskedWord,
  terms: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, number>,
): QueryWord {
  const known = [...terms].filter(([candidate]) => counts.has(candidate))
  const count = counts.get(term) ?? Math.max(0, ...known.map(([candidate]) => counts.get(candidate)!))
  return { terms: new Map(known), count }
}

/** Words that nothing has tell how much of the question is covered, so they stay too. */
function keepRarest(words: readonly QueryWord[]): QueryWord[] {
  if (words.length <= rankedWordsMax) return [...words]
  const rarest = words.filter((word) => word.terms.size > 0).sort((a, b) => a.count - b.count)
  const kept = new Set(rarest.slice(0, rankedWordsMax))
  return words.filter((word) => kept.has(word))
}
