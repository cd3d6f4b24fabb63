import type { Context } from '../../context.ts'
import { type IndexedSpace, listSimilarWords } from '../../search-index/search-index.repo.ts'
import { editDistance, gramsOf } from '../../search-index/vocabulary.ts'

const correctionWeight = 0.8
const correctionsMax = 3
const similarWordsMax = 60

/** For words that nobody wrote, the terms of the words that were likely meant, each with its weight. */
export async function findCorrections(
  ctx: Context,
  space: IndexedSpace,
  written: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const corrections = new Map<string, Map<string, number>>()
  for (const word of written) {
    const terms = new Map<string, number>()
    for (const { term, distance } of await findNearest(ctx, space, word)) {
      terms.set(term, Math.max(correctionWeight / distance, terms.get(term) ?? 0))
    }
    corrections.set(word, terms)
  }
  return corrections
}

type Near = { word: string; term: string; distance: number }

/** The words at one letter's distance for every four letters, the nearest first; none for a word that is known. */
async function findNearest({ db, dialect }: Context, space: IndexedSpace, written: string): Promise<Near[]> {
  const allowed = Math.min(2, Math.max(1, Math.floor(written.length / 4)))
  const grams = gramsOf(written)
  // An edit spoils three groups in a row at most, so every second one is enough to find the word by.
  const asked = grams.filter((_, i) => i % 2 === 0 || i === grams.length - 1)
  const similar = await listSimilarWords(db, dialect, space, asked, similarWordsMax)
  const near = similar.map(({ word, term }) => ({ word, term, distance: editDistance(written, word) }))
  if (near.some(({ distance }) => distance === 0)) return []
  return near
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, correctionsMax)
}
