import type { Context } from '../../tenancy/context.ts'
import { isEnglishWord } from '../analyse/dictionary.ts'
import { nameMark } from '../analyse/passages.ts'
import { isVocabularyWord } from '../analyse/vocabulary.ts'
import type { AskedWord, Question } from '../ask/question.ts'
import { rarityOf } from '../meaning/word-vectors.ts'
import { type PostingLists, readLists } from '../store/posting-lists.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { findTerms, listWordsStarting } from '../store/words.repo.ts'
import type { QueryWord } from './count-words.ts'
import { type GuessesByWord, guessUnknownWords, isKnown } from './guess-words.ts'

const weights = { relative: 0.3, otherLanguage: 0.8, completion: 0.6 }

/** Relatives share at least this many first letters and this part of the longer word ("mentor", "mentorship"). */
const relativeLettersMin = 5
const relativePartMin = 0.7
const relativesMax = 40
const wordsStartingMax = 200
const prefixesMax = 64
const completionsMax = 30
/** For very long queries, only the rarest words are ranked. */
const rankedWordsMax = 48
const isShortNumber = /^\p{N}{1,2}$/u
/** Passages read for all terms together, unless that leaves too few per term. */
const readAtOnceMax = 40_000
const readOfTermMax = 2_000
const readOfTermMin = 100

type Match = { word: AskedWord; terms: Map<string, number> }

/** The words of a question matched with the space's vocabulary. */
export type MatchedWords = {
  words: QueryWord[]
  /** The postings of each term; terms of names are marked. */
  lists: PostingLists
  /** The guesses for unknown words, both in written form (folded). */
  guessed: ReadonlyMap<string, readonly string[]>
  /** Words of the question for which nothing was found. */
  unknown: readonly string[]
}

/**
 * Finds the terms of the space that stand for each word of a question, and their frequency. `readOtherTerms` returns
 * terms that are known in addition to those of texts and names.
 */
export async function matchVocabulary(
  ctx: Context,
  space: IndexedSpace,
  question: Question,
  readOtherTerms: () => Promise<ReadonlySet<string>>,
): Promise<MatchedWords> {
  const matches = question.words.map((word): Match => ({ word, terms: new Map([[word.term, 1]]) }))
  for (const { word, terms } of matches) {
    for (const stem of word.otherStems) addTerm(terms, stem, weights.otherLanguage)
  }
  await addStarting(ctx, space, matches)
  const lists = await readTerms(ctx, space, [...termsOf(matches), ...question.terms], question.written)
  for (const { word, terms } of matches) {
    if (!lists.has(nameMark + word.term) && lists.has(nameMark + word.surface))
      addTerm(terms, word.surface, 1)
  }
  await addForeign(ctx, space, matches, lists)
  const otherTerms = await readOtherTerms()
  const guesses = await guessUnknownWords(ctx, space, question, matches, lists, otherTerms)
  for (const { word, terms } of matches) {
    for (const { term, weight } of guesses.get(word) ?? []) addTerm(terms, term, weight)
  }
  const missing = termsOf(matches.filter(({ word }) => guesses.has(word))).filter((term) => !lists.has(term))
  for (const [term, list] of await readTerms(ctx, space, missing)) lists.set(term, list)
  for (const match of matches.filter((one) => guesses.has(one.word) && isLikeName(question, one.word))) {
    for (const { word, term } of guesses.get(match.word) ?? []) {
      if (!lists.has(nameMark + term) && isEnglishWord(word)) match.terms.delete(term)
    }
  }
  const isMissing = ({ word, terms }: Match) => !otherTerms.has(word.term) && !isKnown(lists, terms.keys())
  // If an identifier is known, its separate letters and digits need not be.
  const kept = matches.filter(
    (match) => !(isMissing(match) && match.word.partOf.some((whole) => isKnown(lists, [whole]))),
  )
  // A number can mean anything without the letters beside it: an unknown "sev2" is no question about 2.
  const unknownWholes = new Set(kept.filter(isMissing).flatMap(({ word }) => word.partOf))
  const ranked = kept.filter(
    ({ word }) => !(isShortNumber.test(word.term) && word.partOf.some((whole) => unknownWholes.has(whole))),
  )
  const mayBeCommon = ctx.config.hasWordVectors && question.byMeaning && question.mayBeEnglish
  const rarityIn = ({ surface }: AskedWord) => (mayBeCommon ? rarityOf(surface) : 1)
  return {
    words: keepRarest(
      ranked.map(({ word, terms }) => ({
        ...toQueryWord(word, terms, lists, rarityIn(word)),
        isName: question.mayBeEnglish && word.isCapitalised && !word.isFirst,
      })),
      lists,
    ),
    lists,
    guessed: toGuessed(guesses, matches, lists),
    unknown: kept
      .filter((match) => !match.word.isWhole && !match.word.saysWhen && isMissing(match))
      .map(({ word }) => word.surface),
  }
}

/** The guesses for words that the space does not contain; compounds of known words are not guesses. */
function toGuessed(
  guesses: GuessesByWord,
  matches: readonly Match[],
  lists: PostingLists,
): Map<string, string[]> {
  const guessed = new Map<string, string[]>()
  for (const { word, terms } of matches) {
    const some = (guesses.get(word) ?? []).filter(({ term }) => terms.has(term) && isKnown(lists, [term]))
    if (some.length > 0 && !isKnown(lists, [word.term]))
      guessed.set(
        word.surface,
        some.map((guess) => guess.word),
      )
  }
  return guessed
}

/** A capitalised word within an English question is a name: "Peter" is not a misspelling of "preferred". */
function isLikeName({ words, mayHaveCompounds, mayBeEnglish }: Question, word: AskedWord): boolean {
  if (!word.isCapitalised || !mayBeEnglish || (mayHaveCompounds && words.every((one) => one.isCapitalised)))
    return false
  return word !== words[0] || words[1]?.isCapitalised === true
}

/** A word that no text has in the question's language may stand in one of another, stemmed in that language. */
async function addForeign(
  ctx: Context,
  space: IndexedSpace,
  matches: readonly Match[],
  lists: PostingLists,
): Promise<void> {
  const unknown = matches.filter(
    ({ word, terms }) => isVocabularyWord(word.surface) && !isKnown(lists, terms.keys()),
  )
  const termOf = await findTerms(
    ctx,
    space,
    unknown.map(({ word }) => word.surface),
  )
  for (const [term, list] of await readTerms(ctx, space, [...termOf.values()])) lists.set(term, list)
  for (const { word, terms } of unknown) {
    const term = termOf.get(word.surface)
    if (term !== undefined) addTerm(terms, term, weights.otherLanguage)
  }
}

function addTerm(terms: Map<string, number>, term: string, weight: number): void {
  terms.set(term, Math.max(weight, terms.get(term) ?? 0))
}

const termsOf = (matches: readonly Match[]) => matches.flatMap(({ terms }) => [...terms.keys()])

/** The postings of terms in texts and, marked, in names; names are also looked up by words as `written`. */
async function readTerms(
  ctx: Context,
  space: IndexedSpace,
  terms: readonly string[],
  written: Iterable<string> = [],
): Promise<PostingLists> {
  const distinct = new Set(terms)
  const marked = [...new Set([...distinct, ...written])].map((term) => nameMark + term)
  const each = Math.floor(readAtOnceMax / (2 * distinct.size))
  return readLists(
    ctx,
    space,
    [...distinct, ...marked],
    Math.min(readOfTermMax, Math.max(readOfTermMin, each)),
  )
}

/** Adds the relatives of words, and completions of a word still being typed. */
async function addStarting({ db }: Context, space: IndexedSpace, matches: readonly Match[]): Promise<void> {
  const prefixes = matches.flatMap(({ word }) => prefixOf(word) ?? [])
  const found = await listWordsStarting(
    db,
    space,
    [...new Set(prefixes)].slice(0, prefixesMax),
    wordsStartingMax,
  )
  for (const { word, terms } of matches) {
    const prefix = prefixOf(word)
    if (prefix === undefined) continue
    let completions = 0
    for (const candidate of found) {
      if (!candidate.word.startsWith(prefix)) continue
      if (terms.size < relativesMax && isRelative(word.term, candidate.term)) {
        addTerm(terms, candidate.term, weights.relative)
      }
      if (!word.isPrefix || !candidate.word.startsWith(word.surface) || completions === completionsMax)
        continue
      addTerm(terms, candidate.term, weights.completion)
      completions += 1
    }
  }
}

function prefixOf(word: AskedWord): string | undefined {
  if (word.isWhole || !isVocabularyWord(word.surface)) return word.isPrefix ? word.surface : undefined
  if (word.isPrefix) return word.surface.slice(0, relativeLettersMin)
  return word.term.length < relativeLettersMin ? undefined : word.term.slice(0, relativeLettersMin)
}

function isRelative(term: string, other: string): boolean {
  if (term.length < relativeLettersMin || !isVocabularyWord(other)) return false
  let shared = 0
  while (shared < term.length && term[shared] === other[shared]) shared += 1
  return shared >= relativeLettersMin && shared >= relativePartMin * Math.max(term.length, other.length)
}

/** A word is as frequent as its own term, or else as the most frequent matching term, in texts or names. */
function toQueryWord(
  { term, surface }: AskedWord,
  terms: ReadonlyMap<string, number>,
  lists: PostingLists,
  rarity: number,
): QueryWord {
  const countOf = (candidate: string) =>
    Math.max(lists.get(candidate)?.count ?? 0, lists.get(nameMark + candidate)?.count ?? 0)
  const known = [...terms].filter(([candidate]) => countOf(candidate) > 0)
  const count = countOf(term) || Math.max(0, ...known.map(([candidate]) => countOf(candidate)))
  return { own: term, surface, terms: new Map(known), count, rarity }
}

/**
 * Words that match nothing are kept as well, since they count for coverage. If there are many, words in texts come
 * before words that occur only in names.
 */
function keepRarest(words: readonly QueryWord[], lists: PostingLists): QueryWord[] {
  if (words.length <= rankedWordsMax) return [...words]
  const isOfNames = ({ terms }: QueryWord) => Number(![...terms.keys()].some((term) => lists.has(term)))
  const rarest = words
    .filter((word) => word.terms.size > 0)
    .sort((a, b) => isOfNames(a) - isOfNames(b) || a.count - b.count)
  const kept = new Set(rarest.slice(0, rankedWordsMax))
  return words.filter((word) => kept.has(word))
}
