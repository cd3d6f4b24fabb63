import { readFoundTerms, readPieces, type Word } from './pieces.ts'

/** The terms of a text of one passage, with spaces between, and the number of its words that count. */
export type ShortText = { terms: string; length: number; words: Word[] }

/**
 * What `toPassages` and `searchedTerms` say of a text of one passage, at half the cost; the order of the terms is
 * another. Undefined for a text that is longer.
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
      // What stands before the first word follows none, and is left out.
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
