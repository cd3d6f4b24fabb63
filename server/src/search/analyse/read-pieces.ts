import { readFoundTerms, readPieces, type Word } from './pieces.ts'

/** The terms of a one-passage text, separated by spaces, and the number of words that count. */
export type ShortText = { terms: string; length: number; words: Word[] }

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
