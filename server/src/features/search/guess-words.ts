import type { Context } from '../../context.ts'
import { isEnglishWord } from '../../search-index/dictionary.ts'
import { nameMark } from '../../search-index/passages.ts'
import type { PostingLists } from '../../search-index/posting-lists.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import { isVocabularyWord } from '../../search-index/vocabulary.ts'
import { findCompounds, findCorrections, type Guess } from './correct-words.ts'
import type { AskedWord, Question } from './question.ts'

export type GuessesByWord = ReadonlyMap<AskedWord, readonly Guess[]>

type Match = { word: AskedWord; terms: ReadonlyMap<string, number> }

const correctedWordsMax = 12
const compoundWordsMax = 4
const compoundLengthMin = 5

/**
 * What may have been meant by words that neither the space nor `otherTerms` have, and the compounds of a German or
 * Dutch question.
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
  // Function words are in names only: none of them is a slip.
  if (question.isBare) return guesses
  const asked = matches.filter(({ word }) => !word.isWhole && isVocabularyWord(word.surface))
  const unknown = asked
    .filter(({ word, terms }) => !otherTerms.has(word.term) && !isKnown(lists, terms.keys()))
    .map(({ word }) => word)
  const misspelt = unknown.filter((word) => word.isPrefix || !isSpeltRight(word, question))
  for (const word of misspelt.slice(0, correctedWordsMax)) {
    guesses.set(word, await findCorrections(ctx, space, word.surface))
  }
  if (!question.hasCompounds) return guesses
  const compounding = asked.filter(({ word }) => word.surface.length >= compoundLengthMin)
  for (const { word } of compounding.slice(0, compoundWordsMax)) {
    const compounds = await findCompounds(ctx, space, word.surface)
    guesses.set(word, [...(guesses.get(word) ?? []), ...compounds])
  }
  return guesses
}

/** A word of the dictionary is no slip. */
const isSpeltRight = ({ surface }: AskedWord, { mayBeEnglish }: Question) =>
  mayBeEnglish && isEnglishWord(surface)

/** Names that have the word count too. */
export function isKnown(lists: PostingLists, terms: Iterable<string>): boolean {
  for (const term of terms) if (lists.has(term) || lists.has(nameMark + term)) return true
  return false
}
