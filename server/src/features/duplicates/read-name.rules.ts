import { foldName, signsIn } from '../../search/analyse/name-letters.ts'

/** A name, parsed for comparison. */
export type ReadName = {
  /** Folded letters and digits, without separators. */
  letters: string
  /** Folded words that distinguish one thing from another. */
  words: readonly string[]
  /**
   * What distinguishes things with the same name, in order: digits, Roman numerals, "junior" and "senior", then the
   * signs of "C++".
   */
  marks: string
  /** Written in capitals that could each stand for a word: "US", "U.S." */
  mayBeInitials: boolean
}

/** Used with the name of a person or company, but not part of it. */
const titles = new Set(
  (
    'dr mr mrs ms miss prof professor sir madam herr frau ' +
    'inc incorporated ltd limited llc corp corporation co gmbh ag plc sa bv oy ab'
  ).split(' '),
)
const articles = new Set(['the', 'a', 'an'])

const betweenWords = /[^\p{L}\p{N}\p{M}]+/u
const capitals = /^(?:\p{Lu}\.?\s?){2,6}$/u
const numbering = /^(?:[ivx]{2,}|jr|sr|junior|senior)$/
/** An initial, or at the end of a name a Roman numeral: "Elizabeth I". */
const shortNumbering = /^[ivx]$/

export function readName(name: string): ReadName {
  const all = foldName(splitCamelCase(name.replaceAll(/['’]/g, '')))
    .split(betweenWords)
    .filter((word) => word !== '')
  return {
    letters: all.join(''),
    words: withoutTitles(all),
    marks: [
      ...all.flatMap((word, i) => numbersIn(word, i > 0 && i === all.length - 1)),
      ...signsIn(name),
    ].join(' '),
    mayBeInitials: capitals.test(name),
  }
}

/** "checkoutService" is "checkout Service", but "GmbH" is one word. */
const splitCamelCase = (name: string) => name.replaceAll(/(\p{Ll})(\p{Lu}(?=\p{L}))/gu, '$1 $2')

function withoutTitles(all: readonly string[]): readonly string[] {
  const words = all.length > 1 && articles.has(all[0]!) ? all.slice(1) : all
  const [first = '', ...more] = words
  // "Mr. Olympia" is not a form of "Olympia", but "Tesla, Inc." is one of "Tesla".
  const untitled = more.length > 1 && titles.has(first) ? more : words
  const last = untitled.at(-1) ?? ''
  return untitled.length > 1 && titles.has(last) ? untitled.slice(0, -1) : untitled
}

function numbersIn(word: string, isLast: boolean): string[] {
  if (numbering.test(word) || (isLast && shortNumbering.test(word))) return [word]
  return word.match(/\p{N}+/gu) ?? []
}

/** The first letters of the words of a name: "us" of "United States". */
export const initialsOf = (words: readonly string[]): string => words.map((word) => [...word][0]).join('')
