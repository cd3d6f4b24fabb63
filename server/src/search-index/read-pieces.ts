import { createChunkReader } from './chunk-cache.ts'
import { readDateTerms } from './date-terms.ts'
import { type FoundChunks, findChunks } from './find-chunks.ts'
import { detectLanguage, type Language } from './languages.ts'
import { readQuantities } from './quantities.ts'
import { readChunk } from './words.ts'

/** A word as it is written, to correct and complete what is asked, and the term it is found by. */
export type Word = { surface: string; term: string }

/** What the index takes of a chunk of text: no offsets, nothing a word. */
type Piece = {
  text: string
  /** What it is posted under, with spaces between. */
  terms: string
  /** How many words it has, where the first of them begins, and how many of them count. */
  words: number
  firstWord: number
  length: number
  learnt: readonly Word[]
  functionWordMask: number
  letterMask: number
  mayBeDate: boolean
}

/** The terms of a text of one passage, with spaces between, and the number of its words that count. */
export type ShortText = { terms: string; length: number; words: Word[] }

const readAll = createChunkReader(readPiece)

/**
 * What `toPassages` and `searchedTerms` say of a text of one passage, at half the cost; the order of the terms is
 * another. Undefined for a text that is longer.
 */
export function readShortText(text: string, wordsMax: number): ShortText | undefined {
  const found = findChunks(text)
  const pieces = readInItsLanguage(text, found)
  const read: ShortText = { terms: '', length: 0, words: [] }
  let words = 0
  let firstWord = text.length
  let mayHaveDate = false
  for (let i = 0; i < pieces.length; i += 1) {
    const piece = pieces[i]!
    mayHaveDate ||= piece.mayBeDate
    if (words === 0) {
      // What stands before the first word follows none, and is left out.
      if (piece.words === 0) continue
      firstWord = found.starts[i]! + piece.firstWord
    }
    words += piece.words
    if (words > wordsMax) return undefined
    if (piece.terms !== '') read.terms = read.terms === '' ? piece.terms : `${read.terms} ${piece.terms}`
    read.length += piece.length
    for (const word of piece.learnt) read.words.push(word)
  }
  const more = readQuantities(text).flatMap(({ term, end }) => (end > firstWord ? [term] : []))
  if (mayHaveDate) more.push(...readDates(text, found, pieces, firstWord))
  if (more.length > 0) read.terms = [read.terms, ...more].filter((terms) => terms !== '').join(' ')
  return read
}

function readInItsLanguage(text: string, found: FoundChunks): Piece[] {
  const pieces = readAll(text, found, 'en')
  const { language } = detectLanguage(pieces)
  return language === 'en' ? pieces : readAll(text, found, language)
}

function readDates(
  text: string,
  { starts, ends }: FoundChunks,
  pieces: readonly Piece[],
  firstWord: number,
): string[] {
  const hints = pieces.flatMap(({ mayBeDate }, i) => (mayBeDate ? [[starts[i]!, ends[i]!] as const] : []))
  return readDateTerms(text, hints).flatMap(({ end, terms }) =>
    end > firstWord ? terms.map(({ term }) => term) : [],
  )
}

function readPiece(text: string, language: Language): Piece {
  const { units, wholes, functionWordMask, letterMask, mayBeDate } = readChunk(text, language)
  const counted = units.filter(({ isStop }) => !isStop)
  return {
    text,
    terms: [...counted.map(({ term }) => term), ...wholes].join(' '),
    words: units.length,
    firstWord: units[0]?.from ?? 0,
    length: counted.length,
    learnt: units.flatMap(({ surface, term, isLearnt }) => (isLearnt ? [{ surface, term }] : [])),
    functionWordMask,
    letterMask,
    mayBeDate,
  }
}
