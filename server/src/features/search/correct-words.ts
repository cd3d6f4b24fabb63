import type { Context } from '../../context.ts'
import type { PostingLists } from '../../search-index/posting-lists.ts'
import {
  findTerms,
  type IndexedSpace,
  listSimilarWords,
  readGrams,
  sortByShared,
} from '../../search-index/search-index.repo.ts'
import { editDistance, gramsOf, oneEditFrom } from '../../search-index/vocabulary.ts'

const weights = {
  /** By distance. */
  correction: 0.8,
  /** A compound and its parts ("Versicherung", "Krankenversicherung"), or some letters out of a word. */
  part: 0.5,
}
const correctionsMax = 3
const partsMax = 20
const similarWordsMax = 60
/** One edit for every four letters. */
const correctedLengthMin = 4
const twoEditsLengthMin = 8
const compoundPartMin = 5

/** For a word that nobody wrote, the terms of those that were likely meant, each with its weight. */
export async function findCorrections(
  ctx: Context,
  space: IndexedSpace,
  written: string,
): Promise<Map<string, number>> {
  const near = written.length < correctedLengthMin ? [] : oneEditFrom(written)
  const known = await findTerms(ctx, space, [written, ...near])
  // It is spelt right; only no observation has it.
  if (known.has(written)) return new Map()
  if (known.size > 0) return weigh(sortByShared([...known.keys()], gramsOf(written)), known, 1)
  if (written.length < twoEditsLengthMin) return findCompounds(ctx, space, written)
  const grams = gramsOf(written)
  const asked = [...new Set([grams[0]!, ...innerAsked(grams), grams.at(-1)!])]
  const lists = await readGrams(ctx, space, asked)
  const similar = await listSimilarWords(ctx, space, lists, { asked, grams, limit: similarWordsMax })
  const further = similar.filter((word) => editDistance(written, word) <= 2)
  if (further.length === 0) return findCompoundsIn(ctx, space, written, lists)
  return weigh(further, await findTerms(ctx, space, further.slice(0, correctionsMax)), 2)
}

/** The first of these words, by their terms; `distance` is in letters. */
function weigh(words: readonly string[], termOf: ReadonlyMap<string, string>, distance: number) {
  const terms = words.slice(0, correctionsMax).map((word) => termOf.get(word) ?? word)
  return new Map(terms.map((term) => [term, weights.correction / distance]))
}

/** The terms of words that have a word in them, or are a part of it. */
export async function findCompounds(
  ctx: Context,
  space: IndexedSpace,
  written: string,
): Promise<Map<string, number>> {
  const lists = await readGrams(ctx, space, innerAsked(gramsOf(written)))
  return findCompoundsIn(ctx, space, written, lists)
}

async function findCompoundsIn(
  ctx: Context,
  space: IndexedSpace,
  written: string,
  lists: PostingLists,
): Promise<Map<string, number>> {
  const grams = gramsOf(written)
  const similar = await listSimilarWords(ctx, space, lists, {
    asked: innerAsked(grams),
    grams: grams.slice(1, -1),
    limit: similarWordsMax,
  })
  const isPart = (word: string) =>
    word.includes(written) || (word.length >= compoundPartMin && written.includes(word))
  const parts = similar.filter((word) => word !== written && isPart(word)).slice(0, partsMax)
  const termOf = await findTerms(ctx, space, parts)
  return new Map([...termOf.values()].map((term) => [term, weights.part]))
}

/** Of the letter groups inside a word: an edit spoils three in a row at most, so every second one is enough. */
const innerAsked = (grams: readonly string[]) => grams.slice(1, -1).filter((_, i) => i % 2 === 0)
