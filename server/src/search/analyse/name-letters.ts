import { foldCase, foldDiacritics } from './fold.ts'

/**
 * Mark for the letters of a name. A name passage keeps the folded name as one term with this mark;
 * posted are its trigrams, with the same mark.
 */
const lettersMark = '#'
/** Follows the last letter, so that the last two letters are posted too. */
const end = '_'

/** Folds a text for comparing names: case, diacritics and invisible characters are ignored. */
export function foldName(text: string): string {
  return foldDiacritics(foldCase(text)).replaceAll('ς', 'σ')
}

/** The letters and digits of a name or of a part of a question, alike however they are spaced, joined or accented. */
export const lettersOf = (text: string): string => foldName(text).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')

const signs = /(?<=[\p{L}\p{N}])[+#]+(?![\p{L}\p{N}])/gu

/** The signs of a name that make it another name: "C++", "C#" and "C" are three. */
export const signsIn = (name: string): readonly string[] => name.match(signs) ?? []

const keptOutOfIndex = /[^0-9a-z\P{ASCII}]/gu
const privateUse = 0xe000

/** The index keeps few ASCII characters; the others are mapped to a private use area of Unicode. */
const encode = (folded: string): string =>
  folded.replace(keptOutOfIndex, (letter) => String.fromCodePoint(privateUse + letter.charCodeAt(0)))

/** The term in which a name passage keeps the letters of the name; none if all of them are invisible. */
export function toLettersTerms(name: string): string[] {
  const letters = encode(foldName(name))
  return letters === '' ? [] : [lettersMark + letters]
}

export const isLettersTerm = (term: string) => term.startsWith(lettersMark)

/** The postings for a term of {@link toLettersTerms}. */
export function lettersPosted(term: string): string[] {
  const text = term.slice(lettersMark.length) + end + end
  const letters = [...text]
  const posted: string[] = []
  let at = 0
  for (let i = 0; i === 0 || i < letters.length - 3; i += 1) {
    const gram = letters[i]! + letters[i + 1] + letters[i + 2]
    // Each once without a set, which takes longer to fill than to look.
    if (text.indexOf(gram) === at) posted.push(lettersMark + gram)
    at += letters[i]!.length
  }
  return posted
}

/** The terms that find the names containing a folded text. */
export type AskedLetters =
  /** Every such name has all of these. */
  | { all: string[] }
  /** Every such name has a term with this prefix. */
  | { beginning: string }

/** A long text needs no more terms than this: every name found is compared with it anyway. */
const askedMax = 16

/** Undefined for a single letter: too many names contain it. */
export function toAskedLetters(folded: string): AskedLetters | undefined {
  const letters = [...encode(folded)]
  if (letters.length < 2) return undefined
  if (letters.length === 2) return { beginning: lettersMark + letters.join('') }
  const groups = letters.length - 2
  const step = Math.max(1, groups / askedMax)
  const all = new Set<string>()
  for (let i = 0; i < groups; i += step) {
    const start = Math.floor(i)
    all.add(lettersMark + letters.slice(start, start + 3).join(''))
  }
  return { all: [...all] }
}
