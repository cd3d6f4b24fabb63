import { readDateTerms } from './date-terms.ts'
import { createChunkReader, type FoundChunks, findChunks } from './find-chunks.ts'
import { firstPersonWords, isFirstPerson } from './first-person.ts'
import { detectTextLanguage, type Language } from './languages.ts'
import { wholeMark } from './passages.ts'
import { type PlainWord, readChunk, readPlainWord } from './words.ts'

/** A word as written, to correct and complete questions, and its term. */
export type Word = { surface: string; term: string }

/** What the index and the ranking need to know of a chunk of text. */
export type Piece = {
  text: string
  /** The posted terms, separated by spaces. */
  terms: string
  /** The same for ranking: terms that stand for the whole chunk are marked. */
  marked: string
  /** The number of words, the number that count, and the start and end of each. */
  words: number
  length: number
  offsets: readonly number[]
  learnt: readonly Word[]
  functionWordMask: number
  letterMask: number
  mayBeDate: boolean
  isFirstPerson: boolean
}

/** The pieces of a text and its language. */
export type PiecedText = { found: FoundChunks; pieces: readonly Piece[]; language: Language }

/** A term for a date, and the end of its text. */
export type FoundTerm = { term: string; end: number }

const { readAll, readOne } = createChunkReader(readPiece)

const learntIn = ({ learnt }: Piece) => learnt.map(({ surface }) => surface)

export function readPieces(text: string): PiecedText {
  const found = findChunks(text)
  const pieces = readAll(text, found, 'en')
  const { language } = detectTextLanguage(pieces, learntIn)
  return { found, pieces: language === 'en' ? pieces : readAll(text, found, language), language }
}

/** The terms of the dates of a text. Those before the first word follow no word and are left out. */
export function readFoundTerms(
  text: string,
  { found: { starts, ends }, pieces }: PiecedText,
  firstWord: number,
): FoundTerm[] {
  const hints = pieces.flatMap(({ mayBeDate }, i) => (mayBeDate ? [[starts[i]!, ends[i]!] as const] : []))
  if (hints.length === 0) return []
  return readDateTerms(text, hints)
    .filter(({ end }) => end > firstWord)
    .flatMap(({ end, terms }) => terms.map(({ term }) => ({ term, end })))
}

function readPiece(text: string, language: Language): Piece {
  const word = readPlainWord(text, language)
  return word === undefined ? readAnyPiece(text, language) : toPiece(text, word)
}

/** Reads one piece of an English text; its hash is already known. */
export const readEnglishPiece = (text: string, start: number, end: number, hash: number): Piece =>
  readOne(text, start, end, hash, 'en')

const none: readonly Word[] = []
function toPiece(
  text: string,
  { surface, term, isStop, isLearnt, isMonth, functionWordMask }: PlainWord,
): Piece {
  const terms = isStop ? '' : term
  return {
    text,
    terms,
    marked: terms,
    words: 1,
    length: isStop ? 0 : 1,
    offsets: [0, text.length],
    learnt: isLearnt ? [{ surface, term }] : none,
    functionWordMask,
    letterMask: 0,
    mayBeDate: isMonth,
    isFirstPerson: firstPersonWords.has(text),
  }
}

function readAnyPiece(text: string, language: Language): Piece {
  const { units, wholes, functionWordMask, letterMask, mayBeDate } = readChunk(text, language)
  const counted = units.flatMap(({ term, isStop }) => (isStop ? [] : [term]))
  const terms = [...counted, ...wholes].join(' ')
  return {
    text,
    terms,
    marked: wholes.length === 0 ? terms : [...counted, ...wholes.map((term) => wholeMark + term)].join(' '),
    words: units.length,
    length: counted.length,
    offsets: units.flatMap(({ from, to }) => [from, to]),
    learnt: units.flatMap(({ surface, term, isLearnt }) => (isLearnt ? [{ surface, term }] : [])),
    functionWordMask,
    letterMask,
    mayBeDate,
    isFirstPerson: isFirstPerson(text),
  }
}
