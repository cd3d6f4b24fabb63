import { memoised } from '../../ground/lib/memoised.ts'
import { readDateTerms, type TextPart } from './date-terms.ts'
import { createChunkReader, type FoundChunks, findChunks } from './find-chunks.ts'
import { detectTextLanguage, type Language } from './languages.ts'
import { type Chunk, readChunk, type Unit } from './words.ts'

/** A word of a text with its terms; `start` and `end` are UTF-16 offsets in the text. */
export type Token = Omit<Unit, 'from' | 'to'> & { start: number; end: number }

export type Analysis = {
  language: Language
  /** False if the text gave no hint of its language. */
  isCertain: boolean
  tokens: Token[]
  /** In text order. */
  wholes: Whole[]
}

/**
 * A term for a whole identifier, a pair of ideographs or a date, with the index of the
 * token before it.
 */
export type Whole = {
  term: string
  after: number
  start: number
  end: number
  /** The terms a question searches for instead of `term`: any of these; none if empty. */
  asked?: readonly string[]
}

/** Splits a text into terms, the same way for stored texts and for questions. */
export function analyse(text: string, knownLanguage?: Language): Analysis {
  const { hints, ...analysis } = analyseWords(text, knownLanguage)
  const { tokens, wholes } = analysis
  if (hints.length === 0) return analysis
  return { ...analysis, wholes: withDates(datesIn(text, hints), tokens, wholes) }
}

/** The same without dates, which take longer than the words; `hints` is where dates may be. */
export function analyseWords(text: string, knownLanguage?: Language): Analysis & { hints: TextPart[] } {
  const located = findChunks(text)
  const { starts, ends } = located
  const { chunks, language, isCertain } = readChunks(text, located, knownLanguage)
  const tokens: Token[] = []
  const wholes: Whole[] = []
  const hints: TextPart[] = []
  for (let i = 0; i < chunks.length; i += 1) {
    const start = starts[i]!
    const chunk = chunks[i]!
    if (chunk.mayBeDate) hints.push([start, ends[i]!])
    for (const { from, to, term, surface, isStop, isLearnt } of chunk.units) {
      tokens.push({ start: start + from, end: start + to, term, surface, isStop, isLearnt })
    }
    for (const term of chunk.wholes) {
      wholes.push({ term, after: tokens.length - 1, start, end: ends[i]! })
    }
  }
  return { language, isCertain, tokens, wholes, hints }
}

const namesMax = 500

/** The same for a name or a type: those of a new entity are read for its index and to find similar names. */
export const analyseName = memoised(namesMax, (name) => analyse(name))

const datesIn = (text: string, hints: readonly TextPart[]) =>
  readDateTerms(text, hints).flatMap(({ start, end, terms }) =>
    terms.map((term) => ({ ...term, start, end })),
  )

/** Adds the dates of a text, each after its last word. */
function withDates(
  found: Omit<Whole, 'after'>[],
  tokens: readonly Token[],
  wholes: readonly Whole[],
): Whole[] {
  found.sort((a, b) => a.end - b.end)
  let after = -1
  const added = found.flatMap((whole): Whole[] => {
    while (after + 1 < tokens.length && tokens[after + 1]!.start < whole.end) after += 1
    return after < 0 ? [] : [{ ...whole, after }]
  })
  return [...wholes, ...added].sort((a, b) => a.after - b.after)
}

/** The content of a text's chunks, and its language. */
type ReadChunks = {
  chunks: Chunk[]
  language: Language
  /** False if the text gave no hint of its language. */
  isCertain: boolean
}

const { readAll } = createChunkReader(readChunk)

const learntIn = ({ units }: Chunk) => units.filter(({ isLearnt }) => isLearnt).map(({ surface }) => surface)

/** Reads the chunks of a text in the given language, or else in the one detected from them. */
export function readChunks(text: string, found: FoundChunks, known?: Language): ReadChunks {
  const chunks = readAll(text, found, known ?? 'en')
  if (known !== undefined) return { chunks, language: known, isCertain: true }
  const { language, isCertain } = detectTextLanguage(chunks, learntIn)
  return { chunks: language === 'en' ? chunks : readAll(text, found, language), language, isCertain }
}
