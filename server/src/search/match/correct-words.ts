import type { Context } from '../../tenancy/context.ts'
import { isEnglishStem, startsLikeEnglish } from '../analyse/dictionary.ts'
import { stemEnglish } from '../analyse/english.ts'
import { nameMark } from '../analyse/passages.ts'
import { areSwapped, commonEditsFrom, editDistance, gramsOf, oneEditFrom } from '../analyse/vocabulary.ts'
import { type PostingLists, readLists } from '../store/posting-lists.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { findTerms, listSimilarWords, readGrams, sortByShared } from '../store/words.repo.ts'

/** A stored word that an unknown word may stand for, and its term. */
export type Guess = { word: string; term: string; weight: number }

const weights = {
  /** Divided by the distance. */
  correction: 0.8,
  /** A compound or a part of it ("Versicherung", "Krankenversicherung"), or any substring of a word. */
  part: 0.5,
}
const correctionsMax = 3
const partsMax = 20
const similarWordsMax = 60
/** Allows one edit per four letters. */
const correctedLengthMin = 4
const correctedLengthMax = 24
const twoEditsLengthMin = 8
/** Words this short are one letter away from many others, so a known one may not be the one meant. */
const ambiguousLengthMax = 5
const stemmedLengthMin = 5
const compoundPartMin = 5
/** Shorter words are not in the vocabulary. */
const halfMin = 3
/** Maximum number of dictionary words one edit away whose stems are looked up; few words have more. */
const dictionaryEditsMax = 12

/** The likely corrections of an unknown word. */
export async function findCorrections(ctx: Context, space: IndexedSpace, written: string): Promise<Guess[]> {
  const isTried = written.length >= correctedLengthMin && written.length <= correctedLengthMax
  const near = isTried ? oneEditFrom(written) : []
  const known = await findTerms(ctx, space, [written, ...near])
  // It is spelt correctly but occurs in no observation.
  if (known.has(written)) return []
  if (known.size === 0 || written.length <= ambiguousLengthMax) {
    const slips = isTried ? commonEditsFrom(written) : []
    for (const [word, term] of await findInflected(ctx, space, slips, known)) known.set(word, term)
  }
  if (known.size > 0) return weigh(nearestFirst([...known.keys()], written), known, 1)
  const grams = gramsOf(written)
  const asked = [...new Set([grams[0]!, ...innerAsked(grams), grams.at(-1)!])]
  const lists = await readGrams(ctx, space, asked)
  const similar = await listSimilarWords(ctx, space, lists, { asked, grams, limit: similarWordsMax })
  const further = similar.filter((word) => isSlipOf(word, written))
  if (further.length === 0) {
    const compounds = await findCompoundsIn(ctx, space, written, lists)
    return compounds.length === 0 ? findHalves(ctx, space, written) : compounds
  }
  const distance = further.some((word) => areLong(word, written)) ? 2 : 1
  return weigh(further, await findTerms(ctx, space, further), distance)
}

/** Dictionary words among the `slips` that occur in the space in another form, except the `known` ones. */
async function findInflected(
  ctx: Context,
  space: IndexedSpace,
  slips: readonly string[],
  known: ReadonlyMap<string, string>,
): Promise<[word: string, term: string][]> {
  const found = new Set(known.values())
  const stemmed = slips
    .filter(startsLikeEnglish)
    .map((word): [string, string] => [word, stemEnglish(word)])
    .filter(([, stem]) => !found.has(stem) && isEnglishStem(stem))
    .slice(0, dictionaryEditsMax)
  const terms = stemmed.flatMap(([, stem]) => [stem, nameMark + stem])
  const lists = await readLists(ctx, space, terms, 1)
  return stemmed.filter(([, stem]) => lists.has(stem) || lists.has(nameMark + stem))
}

/** Whether a word is close enough to be meant, either as written or by the stems of both. */
function isSlipOf(word: string, written: string): boolean {
  if (areLong(word, written) && editDistance(written, word) <= 2) return true
  const [stem, writtenStem] = [stemEnglish(word), stemEnglish(written)]
  if (Math.min(stem.length, writtenStem.length) < stemmedLengthMin) return false
  return editDistance(stem, writtenStem) <= (writtenStem.length < twoEditsLengthMin ? 1 : 2)
}

/** A slip that loses a letter makes a word shorter, so the longer one counts. */
const areLong = (word: string, written: string) => Math.max(word.length, written.length) >= twoEditsLengthMin

/** Swapped letters, the commonest typo, come first; then words that share the most letter groups. */
function nearestFirst(words: readonly string[], written: string): string[] {
  const sorted = sortByShared(words, gramsOf(written))
  const isSwap = (word: string) => areSwapped(word, written)
  return [...sorted.filter(isSwap), ...sorted.filter((word) => !isSwap(word))]
}

/** The first of these words, one per term; `distance` is in letters. */
function weigh(words: readonly string[], termOf: ReadonlyMap<string, string>, distance: number): Guess[] {
  const guesses = new Map<string, Guess>()
  for (const word of words) {
    const term = termOf.get(word) ?? word
    if (!guesses.has(term)) guesses.set(term, { word, term, weight: weights.correction / distance })
  }
  return [...guesses.values()].slice(0, correctionsMax)
}

/** The two words that a name is written with elsewhere ("vexanna", "Vex'anna"). */
async function findHalves(ctx: Context, space: IndexedSpace, written: string): Promise<Guess[]> {
  const halves: [string, string][] = []
  for (let at = halfMin; at <= written.length - halfMin; at += 1)
    halves.push([written.slice(0, at), written.slice(at)])
  const termOf = await findTerms(ctx, space, [...new Set(halves.flat())])
  const both = halves.find((some) => some.every((half) => termOf.has(half))) ?? []
  return both.map((word) => ({ word, term: termOf.get(word)!, weight: weights.part }))
}

/** Words that contain a word or are a part of it. */
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

/** Every second inner letter group: an edit breaks at most three in a row, so these are enough. */
const innerAsked = (grams: readonly string[]) => grams.slice(1, -1).filter((_, i) => i % 2 === 0)
