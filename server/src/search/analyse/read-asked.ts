import type { AskedWords } from './asked-words.ts'
import { isAscii, walkAscii } from './find-chunks.ts'
import { speakForEnglish } from './languages.ts'
import { asksAtEnd, firstPersonMark, questionMark, unaskedMark, wordsPerPassage } from './passages.ts'
import { readEnglishPiece } from './pieces.ts'
import type { ReadPassage } from './read-passages.ts'

const digit = /\d/

const digits = /^\d+$/

/**
 * Whether a name or other text may contain a term of the question. Most texts are decided without
 * analysis.
 */
export function mayHaveAsked(text: string, asked: AskedWords): boolean {
  if (!isAscii(text)) return true
  const isUnasked = walkAscii(text, (start, end, hash, isPlain) =>
    isPlain ? !asked.mayBe(text, start, end, hash) : !asked.hasNumbers && digits.test(text.slice(start, end)),
  )
  return !isUnasked
}

/**
 * Returns what {@link readPassages} returns for a short English text, at a fraction of the cost: in one
 * pass, skipping words that are not in the question. Undefined for other texts, and if dates must be
 * found.
 */
export function readAsked(text: string, asked: AskedWords): ReadPassage | undefined {
  if (!isAscii(text) || (asked.hasNumbers && digit.test(text))) return undefined
  const terms: string[] = []
  let [words, length, unasked, textStart] = [0, 0, 0, 0]
  let speaks = false
  let english = 0
  const isRead = walkAscii(text, (start, end, hash, isPlain) => {
    if (isPlain && !asked.mayBe(text, start, end, hash)) {
      if (words === 0) textStart = start
      words += 1
      length += 1
      unasked += 1
      return words <= wordsPerPassage
    }
    const piece = readEnglishPiece(text, start, end, hash)
    if (words === 0) {
      // A piece before the first word follows no word and is left out.
      if (piece.words === 0) return true
      textStart = start + piece.offsets[0]!
    }
    words += piece.words
    length += piece.length
    speaks ||= piece.isFirstPerson
    if (piece.marked !== '') {
      if (unasked > 0) terms.push(unaskedMark + unasked)
      unasked = 0
      terms.push(piece.marked)
    }
    if (asked.hasNumbers && piece.mayBeDate) return false
    english += speakForEnglish(piece.functionWordMask)
    return words <= wordsPerPassage
  })
  if (!isRead || english < 0) return undefined
  if (unasked > 0) terms.push(unaskedMark + unasked)
  if (speaks) terms.push(firstPersonMark)
  if (asksAtEnd(text, textStart, text.length)) terms.push(questionMark)
  return { terms: terms.join(' '), length }
}
