import type { Context } from '../../tenancy/context.ts'
import { isEnglishWord } from '../analyse/dictionary.ts'
import { nicknamesOf } from '../analyse/nicknames.ts'
import { nameMark } from '../analyse/passages.ts'
import { isTimeWord } from '../analyse/time-words.ts'
import { isVocabularyWord } from '../analyse/vocabulary.ts'
import type { AskedWord, Question } from '../ask/question.ts'
import type { PostingLists } from '../store/posting-lists.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { findTerms } from '../store/words.repo.ts'
import { findCompounds, findCorrections, type Guess } from './correct-words.ts'

export type GuessesByWord = ReadonlyMap<AskedWord, readonly Guess[]>

type Match = { word: AskedWord; terms: ReadonlyMap<string, number> }

const weights = { nickname: 0.8, joined: 0.8, part: 0.5 }
const correctedWordsMax = 12
const wordsWithinMax = 6
const splitWordsMax = 4
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
    .filter(({ word }) => !isTimeWord(word.surface))
    .map(({ word }) => word)
  for (const [word, guess] of await guessForms(ctx, space, question, asked, unknown)) guesses.set(word, guess)
  const misspelt = unknown.filter(
    (word) => !guesses.has(word) && (word.isPrefix || !isSpeltRight(word, question)),
  )
  for (const word of misspelt.slice(0, correctedWordsMax)) {
    guesses.set(word, await findCorrections(ctx, space, word.surface))
  }
  const isTold = asked.some(({ terms }) => [...terms.keys()].some((term) => lists.has(term)))
  const isGuessed = [...guesses.values()].some((some) => some.length > 0)
  if (!isTold && !isGuessed && question.mayBeEnglish) {
    for (const word of unknown.slice(0, wordsWithinMax)) {
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

/** Other ways to write a word, and the weight that they get. */
type Form = { words: readonly string[]; weight: number }

/** Other forms of given names, joined neighbours and parts of long words that occur in the space. */
async function guessForms(
  ctx: Context,
  space: IndexedSpace,
  question: Question,
  asked: readonly Match[],
  unknown: readonly AskedWord[],
): Promise<Map<AskedWord, Guess[]>> {
  const split = question.mayHaveCompounds ? unknown.filter((word) => !isSpeltRight(word, question)) : []
  const partsOf = new Map(split.slice(0, splitWordsMax).map((word) => [word, listParts(word.surface)]))
  const names = unknown.flatMap(listNames)
  const joints = joinNeighbours(asked, unknown)
  const isUnknown = new Set(unknown)
  const joined = [...joints.values()].flat()
  const termOf = await findTerms(ctx, space, [
    ...new Set([...names, ...joined, ...[...partsOf.values()].flat()]),
  ])
  const guesses = new Map<AskedWord, Guess[]>()
  for (const word of new Set([...unknown, ...joints.keys()])) {
    const isPart = (part: string) => termOf.has(part)
    const forms: Form[] = [
      { words: isUnknown.has(word) ? listNames(word) : [], weight: weights.nickname },
      { words: joints.get(word) ?? [], weight: weights.joined },
      { words: partsOf.has(word) ? splitWord(word.surface, isPart) : [], weight: weights.part },
    ]
    const found = forms.flatMap(({ words, weight }) =>
      words.filter(isPart).map((form) => ({ word: form, term: termOf.get(form)!, weight })),
    )
    if (found.length > 0) guesses.set(word, found)
  }
  return guesses
}

/** The other forms of a given name; "Bill" is one, "bill" is not. */
const listNames = ({ surface, isCapitalised }: AskedWord) =>
  isCapitalised || !isEnglishWord(surface) ? nicknamesOf(surface) : []

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

/** A dictionary word is not a misspelling. */
const isSpeltRight = ({ surface }: AskedWord, { mayBeEnglish }: Question) =>
  mayBeEnglish && isEnglishWord(surface)

/** Whether one of the terms occurs in texts or in names. */
export function isKnown(lists: PostingLists, terms: Iterable<string>): boolean {
  for (const term of terms) if (lists.has(term) || lists.has(nameMark + term)) return true
  return false
}

/** Linking letters in German and Dutch compounds; a part may also be stored with one of them as its ending. */
const links = ['', 's', 'es', 'n', 'en', 'er', 'e']
const partLengthMin = 3
const longPartMin = 4
const partsMax = 3
const splitLengthMin = 8
const splitLengthMax = 40

/** All possible parts of a long word, with their possible endings. */
export function listParts(word: string): string[] {
  if (word.length < splitLengthMin || word.length > splitLengthMax) return []
  const parts = new Set<string>()
  for (let from = 0; from + partLengthMin <= word.length; from += 1) {
    for (let to = from + partLengthMin; to <= word.length; to += 1) {
      const isOuter = (from === 0) !== (to === word.length)
      if (from === 0 && to === word.length) continue
      for (const form of isOuter ? formsOf(word.slice(from, to)) : [word.slice(from, to)]) parts.add(form)
    }
  }
  return [...parts]
}

const formsOf = (part: string) => links.map((ending) => part + ending)

/** The fewest known words that make up a word ("Autoverkauf"), in their known form; empty if it cannot be split. */
export function splitWord(word: string, isKnown: (part: string) => boolean): string[] {
  for (let count = 2; count <= partsMax; count += 1) {
    const parts = splitFrom(word, 0, count, isKnown)
    if (parts?.some((part) => part.length > longPartMin)) return parts
  }
  return []
}

function splitFrom(
  word: string,
  from: number,
  count: number,
  isKnown: (part: string) => boolean,
): string[] | undefined {
  if (count === 1) {
    const last = word.length - from < partLengthMin ? undefined : formsOf(word.slice(from)).find(isKnown)
    return last === undefined ? undefined : [last]
  }
  for (let to = word.length - partLengthMin; to >= from + partLengthMin; to -= 1) {
    const part = formsOf(word.slice(from, to)).find(isKnown)
    if (part === undefined) continue
    for (const link of links) {
      if (!word.startsWith(link, to)) continue
      const rest = splitFrom(word, to + link.length, count - 1, isKnown)
      if (rest !== undefined) return [part, ...rest]
    }
  }
  return undefined
}
