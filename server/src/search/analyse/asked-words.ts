import { listIrregularForms } from './english.ts'
import { hashOf } from './find-chunks.ts'
import { firstPersonWords } from './first-person.ts'
import { listFunctionWords } from './languages.ts'
import { monthWords } from './month-names.ts'
import { exceptions } from './porter2.ts'

/** The terms of a question, so that other words of English texts need not be analysed. */
export type AskedWords = {
  /**
   * False for a word of plain letters that is no term of the question and gives no other information
   * about its text.
   */
  mayBe: (text: string, start: number, end: number, hash: number) => boolean
  /** Whether the question contains dates or other numbers. */
  hasNumbers: boolean
}

const letters = 26
const firstLetter = 'a'.charCodeAt(0)
const caseBit = 0x20
/** Anything longer is not a word. */
const lengthMax = 40
/**
 * Stems of at least this length share their first three letters with their words. Shorter ones may not:
 * "aging" becomes "age".
 */
const likeWordMin = 4
/** The stem of "oing" is "oe". */
const shortened = /^[aeiou]e$/
const number = /^(?:[\d:]|tel:)/

/** 0 for a to 25 for z, in either case; below or above for other characters. */
const letterAt = (text: string, index: number) => (text.charCodeAt(index) | caseBit) - firstLetter
const isLetter = (letter: number) => letter >= 0 && letter < letters
const placeOf = (one: number, two: number, three: number) => (one * letters + two) * letters + three

/** `terms` are those of the question. */
export function toAskedWords(terms: Iterable<string>): AskedWords {
  const beginnings = new Uint8Array(letters ** 3)
  let hasNumbers = false
  for (const term of terms) {
    hasNumbers ||= number.test(term)
    markBeginning(beginnings, term)
  }
  return {
    hasNumbers,
    mayBe(text, start, end, hash) {
      const length = end - start
      if (length === 1 || length > lengthMax) return true
      const three = length > 2 ? letterAt(text, start + 2) : 0
      const place = placeOf(letterAt(text, start), letterAt(text, start + 1), three)
      return beginnings[place] === 1 || mayTell(hash)
    },
  }
}

/** For a question without terms: only the lengths of texts are read. */
export const nothingAsked: AskedWords = toAskedWords([])

function markBeginning(beginnings: Uint8Array, term: string): void {
  const [one, two, three] = [letterAt(term, 0), letterAt(term, 1), letterAt(term, 2)]
  if (!isLetter(one) || !isLetter(two)) return
  if (term.length >= likeWordMin && isLetter(three)) beginnings[placeOf(one, two, three)] = 1
  else markAll(beginnings, one, two)
  if (shortened.test(term)) markAll(beginnings, one, letterAt('i', 0))
}

const markAll = (beginnings: Uint8Array, one: number, two: number) =>
  beginnings.fill(1, placeOf(one, two, 0), placeOf(one, two + 1, 0))

const tableBits = 17
const goldenRatio = 0x9e3779b1
/** 1 at the hashes of informative words. Few other words share a slot. */
let telling: Uint8Array | undefined

const placeInTable = (hash: number) => Math.imul(hash, goldenRatio) >>> (32 - tableBits)

function mayTell(hash: number): boolean {
  telling ??= markTelling()
  return telling[placeInTable(hash)] === 1
}

function markTelling(): Uint8Array {
  const table = new Uint8Array(2 ** tableBits)
  for (const word of listTelling()) {
    for (const written of [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)]) {
      table[placeInTable(hashOf(written))] = 1
    }
  }
  return table
}

/**
 * Words that do not count or that indicate language, date or speaker, and words whose stem starts
 * differently.
 */
function listTelling(): string[] {
  const forms = [...exceptions, ...listIrregularForms()].filter(([form, stem]) => !beginsAlike(form, stem))
  return [...listFunctionWords(), ...monthWords, ...firstPersonWords, ...forms.map(([form]) => form)]
}

const beginsAlike = (form: string, stem: string) => form.slice(0, 3) === stem.slice(0, 3)
