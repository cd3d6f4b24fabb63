import type { Context } from '../../context.ts'
import type { PostingLists } from '../../search-index/posting-lists.ts'
import {
  findTerms,
  type IndexedSpace,
  listSimilarWords,
  readGrams,
} from '../../search-index/search-index.repo.ts'
import { editDistance, gramsOf } from '../../search-index/vocabulary.ts'

const weights = {
  /** By distance. */
  correction: 0.8,
  /** A compound and its parts ("Versicherung", "Krankenversicherung"), or some letters out of a word. */
  part: 0.5,
}
const correctionsMax = 3
const partsMax = 20
const similarWordsMax = 60
const correctedLengthMin = 4
const compoundPartMin = 5

/** For a word that nobody wrote, the terms of those that were likely meant, each with its weight. */
export async function findCorrections(
  ctx: Context,
  space: IndexedSpace,
  written: string,
): Promise<Map<string, number>> {
  const allowed = written.length < correctedLengthMin ? 0 : Math.min(2, Math.floor(written.length / 4))
  const grams = gramsOf(written)
  const asked = [...new Set([grams[0]!, ...innerAsked(grams), grams.at(-1)!])]
  const lists = await readGrams(ctx, space, asked)
  const similar = await listSimilarWords(ctx, space, lists, { asked, grams, limit: similarWordsMax })
  const near = similar.map((word) => ({ word, distance: editDistance(written, word) }))
  // It is spelt right; only no observation has it.
  if (near.some(({ distance }) => distance === 0)) return new Map()
  const corrections = near
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, correctionsMax)
  if (corrections.length === 0) return findCompoundsIn(ctx, space, written, lists)
  const termOf = await findTerms(
    ctx,
    space,
    corrections.map(({ word }) => word),
  )
  const terms = new Map<string, number>()
  for (const { word, distance } of corrections.toReversed()) {
    terms.set(termOf.get(word) ?? word, weights.correction / distance)
  }
  return terms
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
