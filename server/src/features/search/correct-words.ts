import type { Context } from '../../context.ts'
import { type IndexedSpace, listSimilarWords } from '../../search-index/search-index.repo.ts'
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
  const similar = await listSimilar(ctx, space, gramsOf(written))
  const near = similar.map((word) => ({ ...word, distance: editDistance(written, word.word) }))
  // It is spelt right; only no observation has it.
  if (near.some(({ distance }) => distance === 0)) return new Map()
  const corrections = near
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, correctionsMax)
  const terms = new Map<string, number>()
  for (const { term, distance } of corrections.toReversed()) terms.set(term, weights.correction / distance)
  if (corrections.length > 0) return terms
  return findCompounds(ctx, space, written)
}

/** The terms of words that have a word in them, or are a part of it. */
export async function findCompounds(
  ctx: Context,
  space: IndexedSpace,
  written: string,
): Promise<Map<string, number>> {
  const inner = gramsOf(written).slice(1, -1)
  const similar = await listSimilar(ctx, space, inner)
  const isPart = (word: string) =>
    word.includes(written) || (word.length >= compoundPartMin && written.includes(word))
  const parts = similar.filter(({ word }) => word !== written && isPart(word)).slice(0, partsMax)
  return new Map(parts.map(({ term }) => [term, weights.part]))
}

/** An edit spoils three letter groups in a row at most, so every second one is enough to find a word by. */
function listSimilar({ db, dialect }: Context, space: IndexedSpace, grams: readonly string[]) {
  const asked = grams.filter((_, i) => i % 2 === 0 || i === grams.length - 1)
  return listSimilarWords(db, dialect, space, asked, similarWordsMax)
}
