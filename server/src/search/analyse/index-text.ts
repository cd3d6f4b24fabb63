import type { Metadata } from '@loci/contract/metadata'
import { analyse, analyseName } from './analyser.ts'
import type { AskedWords } from './asked-words.ts'
import { toLettersTerms } from './name-letters.ts'
import {
  type PassageTerms,
  searchedTerms,
  toAliasTerms,
  toEntityTerms,
  toFullNameTerms,
  toPassages,
  valueMark,
  wordsPerPassage,
} from './passages.ts'
import { readFoundTerms, readPieces, type Word } from './pieces.ts'
import { readAsked } from './read-asked.ts'
import { type ReadPassage, readPassages } from './read-passages.ts'
import { findStandingRule } from './standing-rules.ts'

/** A passage as the index posts it. */
export type IndexedPassage = {
  /** Terms separated by spaces. */
  searched: string
  /** Number of words that count. */
  length: number
}

export type IndexedText = {
  passages: IndexedPassage[]
  /** Words for the vocabulary. The same word can occur more than once. */
  words: Word[]
}

/** The passages and words of a text; the terms of its metadata and of a standing rule are in the first passage. */
export function indexText(content: string, metadata?: Metadata): IndexedText {
  const short = readShortText(content, wordsPerPassage)
  if (short === undefined) return indexLongText(content, metadata)
  return withTerms(short, [...metadataTerms(metadata), ...ruleTermsOf(content)])
}

/** The term of a text that holds a standing rule. No word starts with a colon. */
export const ruleTerm = ':rule'

const ruleTermsOf = (content: string) => (findStandingRule(content) === undefined ? [] : [ruleTerm])

function withTerms({ terms, length, words }: ShortText, more: readonly string[]): IndexedText {
  const searched = more.length === 0 ? terms : [...(terms === '' ? [] : [terms]), ...more].join(' ')
  return { passages: [{ searched, length }], words }
}

function indexLongText(content: string, metadata: Metadata | undefined): IndexedText {
  const analysis = analyse(content)
  return {
    passages: withMetadata(toPassages(content, analysis), metadata).map(({ terms, length }) => ({
      searched: toSearched(terms),
      length,
    })),
    words: analysis.tokens.filter(({ isLearnt }) => isLearnt),
  }
}

/** The searchable fields of an entity apart from its observations. */
export type NamedEntity = {
  name: string
  /** Other names that lead to it. */
  aliases?: readonly string[] | undefined
  type: string
  metadata?: Metadata | undefined
}

/** The single passage of an entity's names, type and metadata, and its words. */
export function indexNames({ name, aliases = [], type, metadata }: NamedEntity): IndexedText {
  const [ofName, ofType, ...others] = [name, type, ...aliases].map(analyseName)
  const terms = [
    ...toEntityTerms(ofName!, ofType!, metadataTerms(metadata)),
    ...toAliasTerms(others),
    ...new Set([name, ...aliases].flatMap(toFullNameTerms)),
    ...[name, ...aliases].flatMap(toLettersTerms),
  ]
  return {
    passages: [{ searched: toSearched(terms), length: 0 }],
    words: [ofName!, ofType!, ...others].flatMap(({ tokens }) => tokens.filter(({ isLearnt }) => isLearnt)),
  }
}

/** The passages of a text as the ranking reads them, with the terms of its metadata in the first. */
export function rankedPassages(content: string, metadata?: Metadata): ReadPassage[] {
  const passages = readPassages(content)
  if (passages[0] !== undefined) addValues(passages[0], metadata)
  return passages
}

/** The single passage of a short text, as `readAsked` reads it for a question. */
export function readAskedPassage(
  content: string,
  metadata: Metadata | undefined,
  asked: AskedWords,
): ReadPassage | undefined {
  const passage = readAsked(content, asked)
  if (passage !== undefined) addValues(passage, metadata)
  return passage
}

function addValues(passage: ReadPassage, metadata: Metadata | undefined): void {
  const values = toObservationMetadataTerms(metadata).join(' ')
  if (values !== '') passage.terms = passage.terms === '' ? values : `${passage.terms} ${values}`
}

function withMetadata(passages: PassageTerms[], metadata: Metadata | undefined): PassageTerms[] {
  passages[0]?.terms.push(...toObservationMetadataTerms(metadata))
  return passages
}

/** The posted form of terms, separated by spaces. */
export function toSearched(terms: readonly string[]): string {
  const joined = terms.join(' ')
  return marked.test(joined) ? searchedTerms(terms).join(' ') : joined
}

/** Marks are characters that no word starts with. */
const marked = /(?:^| )[^\p{L}\p{N}\p{M}]/u

/** The terms of a one-passage text, separated by spaces, and the number of words that count. */
type ShortText = { terms: string; length: number; words: Word[] }

/**
 * Returns what `toPassages` and `searchedTerms` return for a one-passage text, at half the cost and
 * with the terms in another order. Undefined for longer texts.
 */
export function readShortText(text: string, wordsMax: number): ShortText | undefined {
  const pieced = readPieces(text)
  const { found, pieces } = pieced
  const read: ShortText = { terms: '', length: 0, words: [] }
  let words = 0
  let firstWord = text.length
  for (let i = 0; i < pieces.length; i += 1) {
    const piece = pieces[i]!
    if (words === 0) {
      // A piece before the first word follows no word and is left out.
      if (piece.words === 0) continue
      firstWord = found.starts[i]! + piece.offsets[0]!
    }
    words += piece.words
    if (words > wordsMax) return undefined
    if (piece.terms !== '') read.terms = read.terms === '' ? piece.terms : `${read.terms} ${piece.terms}`
    read.length += piece.length
    for (const word of piece.learnt) read.words.push(word)
  }
  const more = readFoundTerms(text, pieced, firstWord).map(({ term }) => term)
  if (more.length > 0) read.terms = [read.terms, ...more].filter((terms) => terms !== '').join(' ')
  return read
}

/** Only the beginning of longer metadata is indexed. */
const termsMax = 200
const charactersMax = 4_000

/**
 * The terms of the values and of the keys leading to them, so that "severity sev1" finds `{"severity":
 * "sev1"}`. Codes are kept whole: otherwise any question with a number would match the digits of
 * "D1:3".
 */
export function metadataTerms(metadata: Metadata | undefined): string[] {
  if (metadata === undefined) return []
  const terms = new Set<string>()
  let characters = 0
  for (const text of textsOf(metadata)) {
    if (characters >= charactersMax || terms.size >= termsMax) break
    for (const term of termsOfText(beginningOf(text, charactersMax - characters))) terms.add(term)
    characters += text.length
  }
  return [...terms].slice(0, termsMax)
}

/** The first characters of a text without the word that they end in; the whole text if it is short enough. */
const beginningOf = (text: string, length: number) =>
  text.length <= length ? text : text.slice(0, length).replace(/[^\s\p{P}]*$/u, '')

/** The same as terms of a passage, marked because they are not words of its text. */
export const toObservationMetadataTerms = (metadata: Metadata | undefined) =>
  metadataTerms(metadata).map((term) => valueMark + term)

function* textsOf(value: unknown): Generator<string, void> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number') yield String(value)
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'boolean') {
        if (inner) yield key
        continue
      }
      if (!isReference(key)) yield key
      yield* textsOf(inner)
    }
  }
}

const isReference = (key: string) => /(?:^|[_-])id$|Id$/u.test(key)

function termsOfText(text: string): string[] {
  const { tokens, wholes } = analyse(text)
  const isCode = wholes.length > 0 && /^\S*\p{N}\S*$/u.test(text)
  const kept = isCode ? wholes : [...tokens.filter(({ isStop }) => !isStop), ...wholes]
  return kept.map(({ term }) => term)
}
