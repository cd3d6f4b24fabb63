import type { Context } from '../../context.ts'
import { isEnglishStem, startsLikeEnglish } from '../../search-index/dictionary.ts'
import { stemEnglish } from '../../search-index/english.ts'
import { nameMark } from '../../search-index/passages.ts'
import { type PostingLists, readLists } from '../../search-index/posting-lists.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import { areSwapped, editDistance, gramsOf, oneEditFrom } from '../../search-index/vocabulary.ts'
import { findTerms, listSimilarWords, readGrams, sortByShared } from '../../search-index/words.repo.ts'

/** A word that is taken for one that nobody wrote, and the term that it is found by. */
export type Guess = { word: string; term: string; weight: number }

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
const correctedLengthMax = 24
const twoEditsLengthMin = 8
/** So short words are one letter away from many others: one that is known may not be the one that was meant. */
const ambiguousLengthMax = 5
const stemmedLengthMin = 5
const compoundPartMin = 5
/** Dictionary words at one edit whose stems are looked up; few words have more. */
const dictionaryEditsMax = 12

/** For a word that nobody wrote, those that were likely meant. */
export async function findCorrections(ctx: Context, space: IndexedSpace, written: string): Promise<Guess[]> {
  const isTried = written.length >= correctedLengthMin && written.length <= correctedLengthMax
  const near = isTried ? oneEditFrom(written) : []
  const known = await findTerms(ctx, space, [written, ...near])
  // It is spelt right; only no observation has it.
  if (known.has(written)) return []
  if (known.size === 0 || written.length <= ambiguousLengthMax) {
    for (const [word, term] of await findInflected(ctx, space, near, known)) known.set(word, term)
  }
  if (known.size > 0) return weigh(nearestFirst([...known.keys()], written), known, 1)
  const grams = gramsOf(written)
  const asked = [...new Set([grams[0]!, ...innerAsked(grams), grams.at(-1)!])]
  const lists = await readGrams(ctx, space, asked)
  const similar = await listSimilarWords(ctx, space, lists, { asked, grams, limit: similarWordsMax })
  const further = similar.filter((word) => isSlipOf(word, written))
  if (further.length === 0) return findCompoundsIn(ctx, space, written, lists)
  const distance = written.length < twoEditsLengthMin ? 1 : 2
  return weigh(further, await findTerms(ctx, space, further), distance)
}

/** Dictionary words among `near` that the space has in another form than those that are `known` already. */
async function findInflected(
  ctx: Context,
  space: IndexedSpace,
  near: readonly string[],
  known: ReadonlyMap<string, string>,
): Promise<[word: string, term: string][]> {
  const found = new Set(known.values())
  const stemmed = near
    .filter(startsLikeEnglish)
    .map((word): [string, string] => [word, stemEnglish(word)])
    .filter(([, stem]) => !found.has(stem) && isEnglishStem(stem))
    .slice(0, dictionaryEditsMax)
  const terms = stemmed.flatMap(([, stem]) => [stem, nameMark + stem])
  const lists = await readLists(ctx, space, terms, 1)
  return stemmed.filter(([, stem]) => lists.has(stem) || lists.has(nameMark + stem))
}

/** Whether a word is so near that it was meant, if not as it stands then without the endings of both. */
function isSlipOf(word: string, written: string): boolean {
  if (written.length >= twoEditsLengthMin && editDistance(written, word) <= 2) return true
  const [stem, writtenStem] = [stemEnglish(word), stemEnglish(written)]
  if (Math.min(stem.length, writtenStem.length) < stemmedLengthMin) return false
  return editDistance(stem, writtenStem) <= (writtenStem.length < twoEditsLengthMin ? 1 : 2)
}

/** Letters that changed places are the commonest slip; then those that have most letters in the same order. */
function nearestFirst(words: readonly string[], written: string): string[] {
  const sorted = sortByShared(words, gramsOf(written))
  const isSwap = (word: string) => areSwapped(word, written)
  return [...sorted.filter(isSwap), ...sorted.filter((word) => !isSwap(word))]
}

/** The first of these words, of the forms of one only the first; `distance` is in letters. */
function weigh(words: readonly string[], termOf: ReadonlyMap<string, string>, distance: number): Guess[] {
  const guesses = new Map<string, Guess>()
  for (const word of words) {
    const term = termOf.get(word) ?? word
    if (!guesses.has(term)) guesses.set(term, { word, term, weight: weights.correction / distance })
  }
  return [...guesses.values()].slice(0, correctionsMax)
}

/** Words that have a word in them, or are a part of it. */
export async function findCompounds(ctx: Context, space: IndexedSpace, written: string): Promise<Guess[]> {
  const lists = await readGrams(ctx, space, innerAsked(gramsOf(written)))
  return findCompoundsIn(ctx, space, written, lists)
}

async function findCompoundsIn(
  ctx: Context,
  space: IndexedSpace,
  written: string,
  lists: PostingLists,
): Promise<Guess[]> {
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
  return [...termOf].map(([word, term]) => ({ word, term, weight: weights.part }))
}

/** Of the letter groups inside a word: an edit spoils three in a row at most, so every second one is enough. */
const innerAsked = (grams: readonly string[]) => grams.slice(1, -1).filter((_, i) => i % 2 === 0)
