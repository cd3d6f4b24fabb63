import type { Context } from '../../tenancy/context.ts'
import { isEnglishStem, isEnglishWord } from '../analyse/dictionary.ts'
import { nameMark } from '../analyse/passages.ts'
import { isVocabularyWord } from '../analyse/vocabulary.ts'
import type { AskedWord, Question } from '../ask/question.ts'
import { isKnownWord } from '../meaning/word-vectors.ts'
import type { PostingLists } from '../store/posting-lists.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { findTerms } from '../store/words.repo.ts'
import { findCompounds, findCorrections, type Guess } from './correct-words.ts'

export type GuessesByWord = ReadonlyMap<AskedWord, readonly Guess[]>

type Match = { word: AskedWord; terms: ReadonlyMap<string, number> }

const joinedWeight = 0.8
const correctedWordsMax = 12
const wordsWithinMax = 6
/** "car" is within "card", "cart" and "care". */
const withinLengthMin = 4
const compoundWordsMax = 4
const compoundLengthMin = 5

/**
 * Guesses the meaning of words that occur neither in the space nor in `otherTerms`, and finds compounds for German and
 * Dutch questions, or if no observation contains a word of the question.
 */
export async function guessUnknownWords(
  ctx: Context,
  space: IndexedSpace,
  question: Question,
  matches: readonly Match[],
  lists: PostingLists,
  otherTerms: ReadonlySet<string>,
): Promise<GuessesByWord> {
  const guesses = new Map<AskedWord, Guess[]>()
  // Function words occur only in names, and are not misspellings.
  if (question.isBare) return guesses
  const asked = matches.filter(({ word }) => !word.isWhole && isVocabularyWord(word.surface))
  const unknown = asked
    .filter(({ word, terms }) => !otherTerms.has(word.term) && !isKnown(lists, terms.keys()))
    .filter(({ word }) => !word.saysWhen)
    .map(({ word }) => word)
  for (const [word, guess] of await guessJoined(ctx, space, asked, unknown)) guesses.set(word, guess)
  const misspelt = unknown.filter(
    (word) => !guesses.has(word) && (word.isPrefix || !isSpeltRight(word, question)),
  )
  for (const word of misspelt.slice(0, correctedWordsMax)) {
    guesses.set(word, await findCorrections(ctx, space, word.surface))
  }
  const isTold = asked.some(({ terms }) => [...terms.keys()].some((term) => lists.has(term)))
  const isGuessed = [...guesses.values()].some((some) => some.length > 0)
  if (!isTold && !isGuessed && question.mayBeEnglish) {
    const within = unknown.filter(({ surface }) => surface.length >= withinLengthMin)
    for (const word of within.slice(0, wordsWithinMax)) {
      if (!guesses.has(word)) guesses.set(word, await findCompounds(ctx, space, word.surface))
    }
  }
  if (!question.hasCompounds) return guesses
  const compounding = asked.filter(({ word }) => word.surface.length >= compoundLengthMin)
  for (const { word } of compounding.slice(0, compoundWordsMax)) {
    const compounds = await findCompounds(ctx, space, word.surface)
    guesses.set(word, [...(guesses.get(word) ?? []), ...compounds])
  }
  return guesses
}

/** Neighbours that the space writes as one word. */
async function guessJoined(
  ctx: Context,
  space: IndexedSpace,
  asked: readonly Match[],
  unknown: readonly AskedWord[],
): Promise<Map<AskedWord, Guess[]>> {
  const joints = joinNeighbours(asked, unknown)
  const termOf = await findTerms(ctx, space, [...new Set([...joints.values()].flat())])
  const guesses = new Map<AskedWord, Guess[]>()
  for (const [one, joined] of joints) {
    const found = joined.flatMap((word) => {
      const term = termOf.get(word)
      return term === undefined ? [] : [{ word, term, weight: joinedWeight }]
    })
    if (found.length > 0) guesses.set(one, found)
  }
  return guesses
}

/** Neighbours of which one is unknown, joined ("data base"); the joined word stands for both. */
function joinNeighbours(asked: readonly Match[], unknown: readonly AskedWord[]): Map<AskedWord, string[]> {
  const joints = new Map<AskedWord, string[]>()
  const isUnknown = new Set(unknown)
  asked.forEach(({ word }, place) => {
    const before = asked[place - 1]?.word
    if (before === undefined || !(isUnknown.has(before) || isUnknown.has(word))) return
    for (const one of [before, word]) {
      joints.set(one, [...(joints.get(one) ?? []), before.surface + word.surface])
    }
  })
  return joints
}

/**
 * A dictionary word is not a misspelling. The dictionary has stems alone, and "biling" has that of "bile": another form
 * than the stem has to be one of a frequent word.
 */
const isSpeltRight = ({ surface }: AskedWord, { mayBeEnglish }: Question) =>
  mayBeEnglish && isEnglishWord(surface) && (isEnglishStem(surface) || isKnownWord(surface))

/** Whether one of the terms occurs in texts or in names. */
export function isKnown(lists: PostingLists, terms: Iterable<string>): boolean {
  for (const term of terms) if (lists.has(term) || lists.has(nameMark + term)) return true
  return false
}
