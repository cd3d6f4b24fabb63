import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { nameMark } from '../analyse/passages.ts'
import { isVocabularyWord } from '../analyse/vocabulary.ts'
import { findCorrections } from '../match/correct-words.ts'
import { wordsOf } from '../match/name-index.ts'
import { readSpaceNames } from '../match/names-in-memory.ts'
import { inverseFrequency } from '../match/weights.ts'
import { type PostingLists, pickHeaviest, readLists } from '../store/posting-lists.ts'
import { type EntityLabel, findEntityLabels } from '../store/search.repo.ts'
import { findIndexedSpace, type IndexedSpace } from '../store/search-index.repo.ts'

const correctedWordsMax = 5
const correctedLengthMin = 4
const candidatesPerName = 20
const postingsPerTerm = 100

/**
 * For each of these names, the entities whose names contain its words, including misspelt ones and compounds, in order
 * of creation: those of now or, if `since` is given, of that change or later.
 */
export async function findNameCandidates(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
  since?: number,
): Promise<Map<string, EntityLabel[]>> {
  const known = await readSpaceNames(ctx, scope, since)
  if (known === undefined) return findInIndex(ctx, scope, names)
  return new Map(names.map((name) => [name, known.find(name, candidatesPerName)]))
}

/** The same by a few look-ups in the stored index. */
async function findInIndex(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, EntityLabel[]>> {
  const space = await findIndexedSpace(ctx.db, scope)
  if (space === undefined) return new Map()
  const asked = new Map(names.map((name) => [name, wordsOf(name)]))
  const wordsAsked = [...asked.values()]
  const lists = await readInNames(
    ctx,
    space,
    wordsAsked.flatMap((words) => [...words.keys()]),
  )
  const unknown = new Map(wordsAsked.flatMap((words) => [...words].filter(([term]) => !lists.has(term))))
  const corrections = await correct(ctx, space, [...unknown.values()])
  for (const [term, list] of await readInNames(ctx, space, [...corrections.values()].flat()))
    lists.set(term, list)
  const candidates = new Map<string, EntityLabel[]>()
  for (const [name, words] of asked) {
    const terms = [...words].flatMap(([term, surface]) =>
      lists.has(term) ? [term] : (corrections.get(surface) ?? []),
    )
    candidates.set(name, await findNamesWith(ctx, space, terms, lists))
  }
  return candidates
}

/** Postings of terms in names, by term without the mark. */
async function readInNames(
  ctx: Context,
  space: IndexedSpace,
  terms: readonly string[],
): Promise<PostingLists> {
  const marked = terms.map((term) => nameMark + term)
  const lists = await readLists(ctx, space, marked, postingsPerTerm)
  return new Map([...lists].map(([term, list]) => [term.slice(nameMark.length), list]))
}

async function correct(
  ctx: Context,
  space: IndexedSpace,
  surfaces: readonly string[],
): Promise<Map<string, string[]>> {
  const words = surfaces.filter((word) => word.length >= correctedLengthMin && isVocabularyWord(word))
  const corrections = new Map<string, string[]>()
  for (const word of words.slice(0, correctedWordsMax)) {
    const guesses = await findCorrections(ctx, space, word)
    corrections.set(
      word,
      guesses.map(({ term }) => term),
    )
  }
  return corrections
}

async function findNamesWith(
  { db }: Context,
  space: IndexedSpace,
  terms: readonly string[],
  lists: PostingLists,
): Promise<EntityLabel[]> {
  const weighted = [...new Set(terms)].flatMap((term) => {
    const list = lists.get(term)
    return list === undefined ? [] : [{ ...list, weight: inverseFrequency(list.count, space.nextOrdinal) }]
  })
  // Names are indexed under the numbers of their entities.
  const found = await findEntityLabels(db, space, pickHeaviest(weighted, candidatesPerName))
  return found.sort((a, b) => a.id - b.id)
}
